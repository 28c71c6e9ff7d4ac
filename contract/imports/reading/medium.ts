import type { Findings } from './findings.ts'
import { hasClass, readHtml } from './html.ts'
import { instantText } from './local-time.ts'
import { resolvePath } from './markdown.ts'
import type { SourceFile } from './source.ts'

export const isMediumPost = (path: string): boolean => /(?:^|\/)posts\/[^/]+\.html$/.test(path)

/**
 * An archive of Medium: one HTML file for each post in `posts/`, in the classes of the microformat h-entry. Names begin with a
 * date or `draft_`. A reply is a post too, with its own beginning as its title. A post counts once, each picture once.
 */
export async function readMedium(files: readonly SourceFile[], findings: Findings): Promise<void> {
  for (const file of files) {
    const place = file.path
    await findings.attemptFile(place, async () => {
      let published: string | undefined
      const { parts, attachments } = readHtml(await file.text(), {
        partOf(_name, attributes) {
          if (hasClass(attributes, 'dt-published')) published ??= attributes['datetime']
          if (hasClass(attributes, 'p-name')) return 'title'
          if (hasClass(attributes, 'p-summary')) return 'summary'
          return hasClass(attributes, 'e-content') ? 'text' : undefined
        },
      })
      for (const name of attachments) findings.skipAttachment(place, name, resolvePath(name, place))
      const title = parts.get('title') ?? ''
      const text = parts.get('text') ?? ''
      // The text of a post begins with its title.
      const [first, ...rest] = text.split('\n')
      const isTitled = first === title && rest.length > 0
      findings.addForeign({
        kind: 'draft',
        title: text.startsWith(title) && !isTitled ? '' : title,
        text: isTitled ? rest.join('\n').trim() : text,
        createdAt: instantText(published),
        category: null,
        tags: [],
        place,
      })
    })
  }
}
