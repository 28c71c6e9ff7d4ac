import { contentTypes, coverPatterns, type Creator, creatorCategories } from '#contract/creators/creator.ts'
import { addDays } from '#contract/days.ts'
import words from './content/generated.json'
import { writtenCreator } from './written-creator.ts'
import { seededRandom } from './seeded-random.ts'

const { names, adjectives, nouns, habits, subjects, manners, genres, tags, keywords, schemes } = words
const ownSeed = 'nine more rooms'

/** Generated from a fixed seed, so that these nine creators are the same at every load. */
export const generatedCreators: Creator[] = generateCreators(ownSeed, 9)

export function generateCreators(seed: string, count: number): Creator[] {
  const random = seededRandom(seed)
  const whole = (below: number) => Math.floor(random() * below)
  const one = <T>(pool: readonly T[]): T => pool[whole(pool.length)]!
  const some = <T>(pool: readonly T[], size: number): T[] =>
    pool
      .map((thing) => ({ thing, rank: random() }))
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, size)
      .map(({ thing }) => thing)
  const shuffledSubjects = some(subjects, subjects.length)

  return some(names, count).map((name, index) =>
    writtenCreator({
      id: `creator-generated-${index + 1}`,
      name,
      artistName: `${one(adjectives)} ${one(nouns)}`,
      description: `${one(habits)} ${shuffledSubjects[index % subjects.length]}, ${one(manners)}.`,
      genre: one(genres),
      coverPattern: one(coverPatterns),
      colorScheme: one(schemes),
      tags: some(tags, 3),
      keywords: some(keywords, 4),
      contentTypes: some(contentTypes, 2 + whole(4)),
      likes: 40 + whole(9000),
      followers: 90 + whole(30_000),
      isVerified: random() < 0.25,
      category: one(creatorCategories),
      joinedAt: addDays('2023-01-01', whole(850)),
    }),
  )
}
