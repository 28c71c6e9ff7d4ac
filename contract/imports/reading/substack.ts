import { readCsv } from './csv.ts'
import type { Findings } from './findings.ts'
import { readHtml } from './html.ts'
import { instantText } from './local-time.ts'
import { resolvePath } from './markdown.ts'
import { type SourceFile, stemOf } from './source.ts'

const columns = ['post_id', 'title', 'subtitle', 'post_date']

export const isPostList = (path: string): boolean => /^(?:[^/]+\/)?posts\.csv$/.test(path)

/**
 * An export of Substack: `posts.csv` and `posts/ID.slug.html` with the text of each post. Lists of readers are other CSV
 * files. A row of the list counts once, with its HTML file; so does an HTML file without a row.
 */
export async function readSubstack(
  files: readonly SourceFile[],
  list: SourceFile,
  findings: Findings,
): Promise<void> {
  const folder = list.path.slice(0, -'posts.csv'.length)
  const texts = new Map(
    files
      .filter(({ path }) => path.startsWith(`${folder}posts/`) && path.endsWith('.html'))
      .map((file) => [stemOf(file.path), file]),
  )
  for (const [index, row] of readCsv(await list.text(), columns).entries()) {
    const id = row['post_id'] ?? ''
    const file = texts.get(id)
    texts.delete(id)
    if (file) await addPost(file, row, findings)
    else
      findings.notUnderstand(
        `${list.path}, row ${index + 1}`,
        `The archive has no text of this post: ${row['title'] ?? id}`,
      )
  }
  for (const file of texts.values()) await addPost(file, {}, findings)
}

async function addPost(file: SourceFile, row: Record<string, string>, findings: Findings): Promise<void> {
  const place = file.path
  await findings.attemptFile(place, async () => {
    const { text, attachments } = readHtml(await file.text())
    for (const name of attachments) findings.skipAttachment(place, name, resolvePath(name, place))
    const { title, subtitle = '', post_date: date } = row
    findings.addForeign({
      kind: 'draft',
      title:
        title ??
        stemOf(place)
          .replace(/^\d+\./, '')
          .replaceAll('-', ' '),
      text: [subtitle.trim(), text].filter(Boolean).join('\n\n'),
      createdAt: instantText(date),
      category: null,
      tags: [],
      place,
    })
  })
}
