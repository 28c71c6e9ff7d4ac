import type { ImportedEntry } from '../entry.ts'
import type { JsonReader } from './json-reader.ts'
import type { Findings } from './findings.ts'
import { readHtml } from './html.ts'
import { instantText } from './local-time.ts'
import { NotUnderstood, tagsReadMax } from './refused.ts'
import { type Fields, fieldsOf, listOf, textOf } from './values.ts'

/** Stands in an export for the address of the site, which the export does not name. */
const origin = '__GHOST_URL__'

/**
 * An export of Ghost: `{"db": [{"meta", "data"}]}`, or its inside alone. Posts become drafts and pages become documents. A
 * post may hold its text in several forms: `html` comes first, then `plaintext`, and `markdown` of the first versions.
 */
export function ghostReader(path: string, findings: Findings): JsonReader {
  const drafts: { postId: unknown; tags: string[] }[] = []
  let count = 0
  return {
    add(read) {
      const place = `${path}, post ${++count}`
      findings.attempt(place, () => {
        const post = fieldsOf(read())
        const entry = entryOf(post, place, findings)
        if (entry.kind === 'draft') drafts.push({ postId: post['id'], tags: entry.tags })
        findings.addForeign(entry)
      })
    },
    // Tags stand behind the posts in the file.
    end(rest) {
      const tagsOf = readTags(rest)
      for (const { postId, tags } of drafts) tags.push(...tagsOf(postId))
    },
  }
}

function entryOf(post: Fields, place: string, findings: Findings): ImportedEntry {
  const { text, attachments } = bodyOf(post)
  const title = textOf(post['title'])
  const createdAt = instantIn(post['published_at']) ?? instantIn(post['created_at'])
  const cover = textOf(post['feature_image'])
  for (const name of new Set(cover === '' ? attachments : [cover, ...attachments]))
    findings.skipAttachment(place, name.replace(origin, ''))
  const isPage = post['type'] === 'page' || post['page'] === true || post['page'] === 1
  return isPage
    ? { kind: 'document', source: 'Ghost page', title, text, createdAt, place }
    : { kind: 'draft', title, text, createdAt, category: null, tags: [], place }
}

function bodyOf(post: Fields): { text: string; attachments: string[] } {
  const html = textOf(post['html'])
  if (html !== '') return readHtml(html)
  const plain = textOf(post['plaintext']) || textOf(post['markdown'])
  if (plain !== '') return { text: plain.replaceAll(origin, ''), attachments: [] }
  if (textOf(post['lexical']) !== '' || textOf(post['mobiledoc']) !== '')
    throw new NotUnderstood('The text of this post is only in a form of the editor of Ghost.')
  return { text: '', attachments: [] }
}

/** Older exports count milliseconds. */
const instantIn = (value: unknown) =>
  typeof value === 'number' && Math.abs(value) < 8e15 ? new Date(value).toISOString() : instantText(value)

/**
 * The names of the tags of a post in their order. Tags with `#` are internal to Ghost. Only the first post with an id gets
 * them: a file may name one id for many posts, and one post for many tags.
 */
function readTags(rest: unknown): (postId: unknown) => string[] {
  const root = fieldsOf(rest)
  const { data } = fieldsOf(listOf(root['db'])[0] ?? root)
  const { tags, posts_tags: links } = fieldsOf(data)
  const names = new Map(
    listOf(tags)
      .map(fieldsOf)
      .map(({ id, name }) => [id, textOf(name)] as const),
  )
  const byPost = Map.groupBy(listOf(links).map(fieldsOf), ({ post_id: postId }) => postId)
  return (postId) => {
    const ofPost = byPost.get(postId) ?? []
    byPost.delete(postId)
    return ofPost
      .toSorted((one, other) => Number(one['sort_order'] ?? 0) - Number(other['sort_order'] ?? 0))
      .map(({ tag_id: tagId }) => names.get(tagId) ?? '')
      .filter((name) => name !== '' && !name.startsWith('#'))
      .slice(0, tagsReadMax)
  }
}
