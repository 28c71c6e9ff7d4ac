import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { PublicPost } from '#contract/feed/post.ts'
import { Day, Id, inAddress, Page } from '#contract/schemas.ts'

// What the first page of a reader calls, and nothing else: the browser loads the whole file.

export const feedDayMax = 200
export const oldestFeedDay = 36_500

export const getFeedDay = endpoint({
  summary: 'Lists the posts of a day of the feed.',
  description: '0 is today in the time zone of the installation, 1 is yesterday.',
  method: 'GET',
  path: '/api/feed/day/:offset',
  // A negative offset passes, because its refusal has a sentence of its own.
  params: z.object({
    offset: z.pipe(
      z
        .string()
        .check(
          z.regex(/^(-?[1-9]\d{0,14}|0)$/, 'A day of the feed is a whole number.'),
          inAddress({ type: 'integer', minimum: 0 }),
        ),
      z.transform(Number),
    ),
  }),
  query: Page(feedDayMax),
  output: z.array(PublicPost),
  headers: { 'Feed-Day': 'The date of the day.' },
  errors: ['FutureDay'],
})

export const getPost = endpoint({
  summary: 'Answers a published post.',
  method: 'GET',
  path: '/api/posts/:id',
  params: z.object({ id: Id }),
  output: PublicPost,
  errors: ['PostNotFound'],
})

export const getLastFeedDay = endpoint({
  summary: 'Answers the last day with posts before a day.',
  method: 'GET',
  path: '/api/feed/last-day-before/:day',
  params: z.object({ day: Day }),
  /** Null when no earlier day has a post. */
  output: z.object({ day: z.nullable(Day) }),
})
