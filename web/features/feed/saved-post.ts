import { firstWordsOf, type PublicPost } from '#contract/feed/post.ts'
import { oneLine, type SavedText } from '#contract/saving/saved-text.ts'
import { formOf } from '#contract/text-form.ts'
import { timeOfDay } from '#web/lib/locale.ts'

/** A post, as its files contain it. One without a title has the name of its author there, as on the page. */
export function savedPost(post: PublicPost, timeZone: string): SavedText {
  const { title, body } = formOf(post.content)
  const author = oneLine(post.authorName)
  const at = (time: string) => timeOfDay(time, { ...dayParts, timeZone })
  const times = [
    at(post.publishedAt ?? post.createdAt),
    ...(post.editedAt ? [`edited ${at(post.editedAt)}`] : []),
  ]
  return {
    fileTitle: title ?? firstWordsOf(post),
    title: oneLine(title ?? author),
    introduction: '',
    note: [...(title === null ? [] : [author]), ...times].join(' · '),
    parts: [{ heading: null, content: body }],
    contributors: [],
  }
}

const dayParts = { year: 'numeric', month: 'long', day: 'numeric' } as const
