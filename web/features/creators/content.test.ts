import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contentTypes, coverPatterns, creatorCategories, type Portfolio } from '#contract/creators/creator.ts'
import { showcaseTypes } from '#contract/creators/showcase.ts'
import creators from './content/creators.json'
import portfolios from './content/portfolios.json'
import showcase from './content/showcase.json'
import type { WrittenPiece } from './showcase-items.ts'
import type { WrittenCreator } from './written-creator.ts'

const [text, texts] = [z.string(), z.array(z.string())]

const Creators: z.ZodMiniType<WrittenCreator[]> = z.array(
  z.strictObject({
    id: text,
    name: text,
    artistName: text,
    description: text,
    genre: text,
    coverPattern: z.enum(coverPatterns),
    colorScheme: z.strictObject({ primary: text, secondary: text, accent: text, background: text }),
    tags: texts,
    keywords: texts,
    contentTypes: z.array(z.enum(contentTypes)),
    likes: z.int(),
    followers: z.int(),
    isVerified: z.boolean(),
    category: z.enum(creatorCategories),
    joinedAt: text,
  }),
)

const Portfolios: z.ZodMiniType<Record<string, Portfolio>> = z.record(
  text,
  z.strictObject({
    samples: z.array(z.strictObject({ title: text, type: z.enum(contentTypes), content: text })),
    hourlyRate: z.number(),
    availability: z.enum(['available', 'busy']),
    skills: texts,
    testimonials: z.array(z.strictObject({ client: text, review: text, rating: z.literal([1, 2, 3, 4, 5]) })),
  }),
)

const Showcase: z.ZodMiniType<WrittenPiece[]> = z.array(
  z.strictObject({
    creatorId: text,
    type: z.enum(showcaseTypes),
    title: text,
    likes: z.int(),
    content: text,
  }),
)

test.each([
  ['creators', Creators, creators],
  ['portfolios', Portfolios, portfolios],
  ['the showcase', Showcase, showcase],
] as const)(
  'the sample content of %s has all fields that a visitor sees, and no other [CRE-05]',
  (_what, schema, content) => {
    expect(schema.parse(content)).toEqual(content)
  },
)

test('each portfolio and each piece of the showcase belongs to a creator [CRE-07]', () => {
  const ids = creators.map(({ id }) => id)
  expect(Object.keys(portfolios).toSorted()).toEqual(ids.toSorted())
  expect(showcase.filter(({ creatorId }) => !ids.includes(creatorId))).toEqual([])
})
