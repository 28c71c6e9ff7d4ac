import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { categories } from '#contract/feed/categories.ts'
import { authorNameMaxLength, postForms, tagMaxLength } from '#contract/feed/post.ts'
import { AnyText, Day, Id, Instant, Page, PersonId } from '#contract/schemas.ts'
import { lengthClasses } from './length.ts'
import {
  foundMax,
  isSearchable,
  searchedTextMaxLength,
  searchedTextMinLength,
  searchKinds,
  searchOrders,
} from './query.ts'

/** A part of a text, and the places of it that match: positions in UTF-16 units, in order, without overlaps. */
export const MarkedText = z.object({
  text: z.string(),
  marks: z.array(z.object({ from: z.int(), to: z.int() })),
})
export type MarkedText = z.infer<typeof MarkedText>

export const FoundPost = z.object({
  id: Id,
  /** Null for a text without a title. */
  title: z.nullable(MarkedText),
  /** The line with the first match, or the first line of the text. */
  line: MarkedText,
  authorName: z.string(),
  /** Null unless the name leads to the page of the author. */
  authorId: z.nullable(PersonId),
  publishedAt: Instant,
})
export type FoundPost = z.infer<typeof FoundPost>

/** A person with a page. */
export const FoundPerson = z.object({ id: PersonId, name: MarkedText, introduction: z.string() })
export type FoundPerson = z.infer<typeof FoundPerson>

/** An open room, or a finished story. */
export const FoundRoom = z.object({
  id: Id,
  name: MarkedText,
  /** The line of the description with the first match, or its first line. */
  line: MarkedText,
  isPublic: z.boolean(),
  expiresAt: Instant,
})
export type FoundRoom = z.infer<typeof FoundRoom>

const nextBefore = z.nullable(z.string())

export const SearchAnswer = z.object({
  posts: z.object({ found: z.array(FoundPost), nextBefore }),
  people: z.object({ found: z.array(FoundPerson) }),
  rooms: z.object({ found: z.array(FoundRoom), nextBefore }),
  stories: z.object({ found: z.array(FoundRoom), nextBefore }),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>

export const search = endpoint({
  summary: 'Finds posts, people with a page, open rooms and finished stories by their words.',
  description:
    'A text must have all words of `q`, in any order. The last word may be the beginning of one. Words in quotes must follow each other. Marks and case do not count. By `rank` the newest 200 matches are ranked, then the 200 before them, and so on. With `author` the matches among the newest 500 posts of the author are ranked, then those among the 500 before them. A page may be empty while `nextBefore` is not null. Only posts are found with `author`, `tag`, `category`, `form` or `length`.',
  method: 'GET',
  path: '/api/search',
  query: z.extend(Page(foundMax), {
    q: AnyText(searchedTextMaxLength).check(
      z.refine(isSearchable, `Please type at least ${searchedTextMinLength} characters.`),
    ),
    /** All of them without it. A cursor belongs to one kind. */
    kind: z.optional(z.enum(searchKinds, 'kind is posts, people, rooms or stories.')),
    author: z.optional(AnyText(authorNameMaxLength)),
    tag: z.optional(AnyText(tagMaxLength)),
    category: z.optional(z.enum(categories, 'This category does not exist.')),
    form: z.optional(z.enum(postForms, 'form is verse or prose.')),
    length: z.optional(z.enum(lengthClasses, 'length is short, medium or long.')),
    /** The first and the last day, in the time zone of the installation. */
    from: z.optional(Day),
    to: z.optional(Day),
    order: z.optional(z.enum(searchOrders, 'order is rank or time.')),
  }),
  output: SearchAnswer,
})
