import {
  type ColorScheme,
  contentTypes,
  coverPatterns,
  type Creator,
  creatorCategories,
} from '#contract/creators/creator.ts'
import { addDays } from '#contract/days.ts'
import { writtenCreator } from './written-creator.ts'
import { seededRandom } from './seeded-random.ts'

const names = [
  'Adaeze Nwosu',
  'Bjarne Holm',
  'Camila Rojas',
  'Dilnoza Karimova',
  'Emre Aydin',
  'Farida Noor',
  'Goran Babić',
  'Hana Kobayashi',
  'Isla MacRae',
  'Jamal Whitfield',
  'Katalin Szabó',
  'Leilani Kahale',
  'Minh Tran',
  'Noa Ben-Ami',
  'Olena Kovalenko',
  'Pavel Dvořák',
]
const adjectives = [
  'Amber',
  'Borrowed',
  'Crooked',
  'Early',
  'Folded',
  'Humming',
  'Patient',
  'Unsent',
  'Wandering',
]
const nouns = ['Almanac', 'Bench', 'Compass', 'Drawer', 'Hour', 'Kettle', 'Notebook', 'Orchard', 'Postcard']
const habits = ['Writes', 'Collects', 'Records', 'Rewrites']
const subjects = [
  'stories of people who almost met',
  'poems about ordinary rooms',
  'letters that nobody asked for',
  'small comedies of family dinners',
  'walks through towns at closing time',
  'memories that two people tell differently',
]
const manners = [
  'before breakfast',
  'on the back of receipts',
  'one page at a time',
  'mostly on trains',
  'and reads them aloud to the dog',
]
const genres = ['Short stories', 'Poetry', 'Letters', 'Travel writing', 'Memoir', 'Essay']
const tags = ['short forms', 'everyday', 'humour', 'quiet', 'family', 'travel', 'night', 'letters', 'weekly']
const keywords = ['window', 'rain', 'bread', 'street', 'sister', 'map', 'winter', 'garden', 'song', 'key']
const schemes: ColorScheme[] = [
  { primary: '#264653', secondary: '#8AB6B0', accent: '#E9C46A', background: '#EEF5F4' },
  { primary: '#6D2E46', secondary: '#D5B9B2', accent: '#A26769', background: '#F8F1EF' },
  { primary: '#2D3A6E', secondary: '#A5B1DB', accent: '#F4A259', background: '#EFF1FA' },
  { primary: '#44582A', secondary: '#BFCBA0', accent: '#BC4B51', background: '#F4F7EC' },
  { primary: '#7F4F24', secondary: '#DDB892', accent: '#386641', background: '#FBF4EA' },
]

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
