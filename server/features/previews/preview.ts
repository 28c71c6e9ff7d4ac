import type { Post } from '#contract/feed/post.ts'
import type { PersonPage } from '#contract/people/endpoints.ts'
import { formOf } from '#contract/text-form.ts'
import { cut, isBlank } from '#contract/text.ts'

/** The texts of a preview picture. */
export interface Preview {
  title: string
  /** Smaller, below the title. */
  below: string
}

/** No title of a post and no name has more characters. A longer first line is cut. */
const titleMaxLength = 100
const belowMaxLength = 200
/** The title is within the first characters of a text. */
const beginningLength = 1000

export function previewOfPost({ content, authorName }: Pick<Post, 'content' | 'authorName'>): Preview {
  const { title, body } = formOf(cut(content.trim(), beginningLength))
  return previewOf(title ?? body.split('\n').find((line) => !isBlank(line)) ?? '', authorName)
}

export function previewOfStory({ name, contributorCount }: { name: string; contributorCount: number }) {
  const authors = contributorCount === 1 ? '1 person' : `${contributorCount} people`
  return previewOf(name, contributorCount === 0 ? 'A story' : `A story by ${authors}`)
}

export const previewOfPerson = ({ name, introduction }: Pick<PersonPage, 'name' | 'introduction'>): Preview =>
  previewOf(name, introduction)

const previewOf = (title: string, below: string): Preview => ({
  title: asLine(title, titleMaxLength),
  below: asLine(below, belowMaxLength),
})

/** A picture shows four marks of a letter. More of them would cover the lines above. */
const tooManyMarks = /(\p{M}{4})\p{M}+/gu
/** Characters that are not part of a text, and those that would turn the direction of what follows. */
const unwanted = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffc]/gu

/** A longer grapheme is no character of a language, such as 500 letters of one syllable, and may be too wide to be drawn. */
const graphemeMaxLength = 60

/** The beginning of a text as one line that can be drawn. */
function asLine(text: string, maxLength: number): string {
  const line = cut(text, 10 * maxLength)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(unwanted, '')
    .replace(tooManyMarks, '$1')
    .trim()
  const drawable = graphemesOf(line).map((each) => (each.length > graphemeMaxLength ? '\ufffd' : each))
  return shorten(drawable.join(''), maxLength)
}

const segmenter = new Intl.Segmenter()
export const graphemesOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

/** The text with at most this number of graphemes, cut after a word unless the next word is long. */
export function shorten(text: string, length: number): string {
  const graphemes = graphemesOf(text)
  if (graphemes.length <= length) return text
  return `${graphemes
    .slice(0, length)
    .join('')
    .replace(/ +\S{0,15}$/u, '')}…`
}
