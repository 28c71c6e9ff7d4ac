import { expect, test } from 'vitest'
import { contentTypes, coverPatterns, creatorCategories } from '#contract/creators/creator.ts'
import { isDay } from '#contract/days.ts'
import { generateCreators, generatedCreators } from './generated-creators.ts'
import { withPortfolio } from './portfolios.ts'
import { allCreators, byName, sampleCreators } from './sample-creators.ts'
import { firstLetterOf } from './written-creator.ts'

const color = expect.stringMatching(/^#[0-9A-F]{6}$/)
const someText = expect.stringMatching(/\S/)
const complete = allCreators.map(withPortfolio)
const portfolios = complete.flatMap(({ portfolio }) => (portfolio ? [portfolio] : []))

test('a visitor sees creators that are part of the page: no picture of them is fetched [CRE-02]', () => {
  expect(allCreators.length).toBeGreaterThan(0)
  for (const creator of allCreators) expect(creator.profileImage).toBeNull()
  expect(JSON.stringify(complete)).not.toMatch(/https?:|\/\//)
})

test('there are 25 sample creators, all different people [CRE-03]', () => {
  expect(sampleCreators).toHaveLength(25)
  for (const field of ['id', 'name', 'artistName', 'description'] as const) {
    expect(new Set(sampleCreators.map((creator) => creator[field])).size).toBe(25)
  }
})

test('nine more creators are generated [CRE-04]', () => {
  expect(generatedCreators).toHaveLength(9)
  expect(new Set(allCreators.map(({ id }) => id)).size).toBe(34)
  expect(new Set(allCreators.map(({ name }) => name)).size).toBe(34)
  expect(generateCreators('another seed', 9)).not.toEqual(generatedCreators)
})

test.each(allCreators)('the profile of $name is complete [CRE-05]', (creator) => {
  expect(creator).toMatchObject({
    id: expect.stringMatching(/^creator-[a-z0-9-]+$/),
    name: someText,
    artistName: someText,
    description: someText,
    genre: someText,
    colorScheme: { primary: color, secondary: color, accent: color, background: color },
    isFollowing: false,
    isVerified: expect.any(Boolean),
    firstLetter: firstLetterOf(creator.name),
  })
  expect(coverPatterns).toContain(creator.coverPattern)
  expect(creatorCategories).toContain(creator.category)
  expect(isDay(creator.joinedAt)).toBe(true)
  expect(creator.firstLetter).toMatch(/^[A-Z]$/)
  expect(new Set(creator.tags).size).toBeGreaterThanOrEqual(3)
  expect(new Set(creator.keywords).size).toBeGreaterThanOrEqual(3)
  expect(Number.isInteger(creator.likes) && creator.likes > 0).toBe(true)
  expect(Number.isInteger(creator.followers) && creator.followers > 0).toBe(true)
})

test('a creator whose name begins with an accented letter is listed under the plain letter [CRE-05]', () => {
  expect(['Émile', 'Ñusta', 'ana', 'Zoë'].map(firstLetterOf)).toEqual(['E', 'N', 'A', 'Z'])
})

test('each creator makes some of the twelve content types, and each type has a creator [CRE-06]', () => {
  expect(contentTypes).toEqual([
    'music',
    'audio',
    'video',
    'writing',
    'poetry',
    'stories',
    'diary',
    'books',
    'podcast',
    'photography',
    'art',
    'design',
  ])
  expect(new Set(allCreators.flatMap((creator) => creator.contentTypes))).toEqual(new Set(contentTypes))
  for (const creator of allCreators) {
    expect(creator.contentTypes.length).toBeGreaterThan(0)
    expect(new Set(creator.contentTypes).size).toBe(creator.contentTypes.length)
  }
  expect(sampleCreators.some((creator) => creator.contentTypes.length > 4)).toBe(true)
})

test('all written creators have a portfolio, and the generated ones have none [CRE-07]', () => {
  expect(complete.filter(({ portfolio }) => portfolio)).toEqual(sampleCreators.map(withPortfolio))
  for (const { samples, hourlyRate, skills, testimonials } of portfolios) {
    expect(hourlyRate).toBeGreaterThan(0)
    expect(skills.length).toBeGreaterThan(0)
    expect(samples.length).toBeGreaterThan(0)
    for (const sample of samples) {
      expect(sample).toEqual({ title: someText, type: expect.any(String), content: someText })
      expect(contentTypes).toContain(sample.type)
    }
    for (const testimonial of testimonials) {
      expect(testimonial).toEqual({ client: someText, review: someText, rating: expect.any(Number) })
    }
  }
})

test('a reader of all portfolios reads more than two thousand words, and no text twice [CRE-07]', () => {
  const texts = portfolios.flatMap(({ samples }) => samples.map(({ content }) => content))
  expect(texts.join(' ').split(/\s+/).length).toBeGreaterThan(2000)
  expect(new Set(texts).size).toBe(texts.length)
})

test('creators with a portfolio are available or busy, and there are both [CRE-08]', () => {
  expect(new Set(portfolios.map(({ availability }) => availability))).toEqual(new Set(['available', 'busy']))
})

test('reviews give 1 to 5 stars, not all the same [CRE-09]', () => {
  const ratings = portfolios.flatMap(({ testimonials }) => testimonials.map(({ rating }) => rating))
  for (const rating of ratings) expect([1, 2, 3, 4, 5]).toContain(rating)
  expect(new Set(ratings).size).toBeGreaterThan(1)
})

test('all 34 creators are listed alphabetically, and the nine generated ones are the same at every load [CRE-48]', () => {
  expect(allCreators).toHaveLength(34)
  const listed = allCreators.toSorted(byName)
  expect(listed.map(({ firstLetter }) => firstLetter)).toEqual(
    allCreators.map(({ firstLetter }) => firstLetter).toSorted(),
  )
  expect(generatedCreators.map(({ name, artistName }) => `${name}, ${artistName}`)).toMatchInlineSnapshot(`
    [
      "Noa Ben-Ami, Folded Drawer",
      "Leilani Kahale, Amber Drawer",
      "Goran Babić, Folded Bench",
      "Adaeze Nwosu, Patient Postcard",
      "Jamal Whitfield, Folded Bench",
      "Dilnoza Karimova, Patient Orchard",
      "Isla MacRae, Early Notebook",
      "Farida Noor, Humming Postcard",
      "Pavel Dvořák, Amber Bench",
    ]
  `)
})

test.each(creatorCategories)('the section %s has at least four written creators [CRE-48]', (category) => {
  expect(sampleCreators.filter((creator) => creator.category === category).length).toBeGreaterThanOrEqual(4)
})
