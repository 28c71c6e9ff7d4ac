export const categories = ['Poetry', 'Fiction', 'Travel', 'Technology', 'Lifestyle', 'Memories'] as const
export type Category = (typeof categories)[number]

/** The category of a text without a keyword. */
const withoutMatch: Category = 'Lifestyle'

/** Whole words in lower case, each in one list only; a plural with 's' counts as its singular. */
export const keywords: Record<Category, string> = {
  Poetry: `
    ballad couplet elegy haiku iamb limerick lyric lyrical metaphor metre meter ode pantoum poem poet
    poetic poetry quatrain refrain rhyme rhyming rhythm sestina sonnet stanza syllable tanka verse villanelle`,
  Fiction: `
    antagonist chapter character dialogue dragon fable fairytale fantasy fiction fictional folklore ghost hero heroine
    legend magic monster mystery myth narrator novel novella plot protagonist saga story stories tale thriller villain
    witch wizard`,
  Travel: `
    abroad adventure airport backpack beach border bus city cities coast country countries ferry flight harbour hike
    hiking hostel hotel island itinerary journey luggage map mountain passport road sightseeing station suitcase ticket
    tour tourist train travel traveler traveller travelling trip village voyage wander`,
  Technology: `
    algorithm android app artificial browser bug cloud code coding computer cyber data database debug developer digital
    engineer gadget hardware internet keyboard laptop linux machine network online password phone program programmer
    programming robot screen server smartphone software startup tech technology web website wifi`,
  Lifestyle: `
    bake baking bread breakfast coffee cook cooking dinner exercise fashion fitness food garden gardening habit health
    healthy hobby hobbies home kitchen lunch meditation mindful mindfulness morning recipe routine running
    sleep style tea wellness workout yoga`,
  Memories: `
    album ancestor anniversary attic aunt birthday childhood diary family families father forgotten grandfather grandma
    grandmother grandpa heirloom memoir memory memories mother nostalgia nostalgic past photograph recall recollection
    remember remembered remembering reminisce reunion school scrapbook souvenir uncle wedding yesterday youth`,
}

/** The category of a post: the one that its author chose, or else the one of its text. */
export const categoryOfPost = ({ category, content }: CategorizedPost): Category =>
  category ?? categoryOf(content)

interface CategorizedPost {
  category?: Category | null
  content: string
}

export const categoryOf = (text: string): Category => foundCategoryOf(text) ?? withoutMatch

/** The most keywords win, the earlier category on a tie; undefined when the text has no keyword. */
export function foundCategoryOf(text: string): Category | undefined {
  const found = new Map<Category, number>()
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const category =
      byKeyword.get(word) ?? (word.endsWith('s') ? byKeyword.get(word.slice(0, -1)) : undefined)
    if (category) found.set(category, (found.get(category) ?? 0) + 1)
  }
  const most = Math.max(...found.values())
  return categories.find((category) => found.get(category) === most)
}

/** Names of drawings. */
const images = {
  Poetry: 'quill',
  Fiction: 'story',
  Travel: 'mountains',
  Technology: 'screen',
  Lifestyle: 'cup',
  Memories: 'photograph',
} as const

export interface CategorySummary {
  name: Category
  /** The drawing that stands for it. */
  image: (typeof images)[Category]
  count: number
}

/** Every category with its picture and the number of its posts, also those without any. */
export function summariesOfCategories(posts: readonly CategorizedPost[]): CategorySummary[] {
  const found = posts.map(categoryOfPost)
  return categories.map((name) => ({
    name,
    image: images[name],
    count: found.filter((category) => category === name).length,
  }))
}

const byKeyword = new Map<string, Category>(
  categories.flatMap((category) =>
    keywords[category]
      .trim()
      .split(/\s+/)
      .map((keyword) => [keyword, category] as const),
  ),
)
