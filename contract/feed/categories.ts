export const categories = ['Poetry', 'Fiction', 'Travel', 'Technology', 'Lifestyle', 'Memories'] as const
export type Category = (typeof categories)[number]

/** What a text counts as when no keyword is found. */
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

/** The category and genre of a text: the most keywords win, the earlier category on a tie. */
export function categoryOf(text: string): Category {
  const found = new Map<Category, number>()
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const category = byKeyword.get(word) ?? byKeyword.get(word.replace(/s$/, ''))
    if (category) found.set(category, (found.get(category) ?? 0) + 1)
  }
  const most = Math.max(...found.values())
  return categories.find((category) => found.get(category) === most) ?? withoutMatch
}

export interface CategorySummary {
  name: Category
  /** Our own small picture, as an address that needs no request. */
  image: string
  /** How many of the posts belong to it. */
  count: number
}

/** Every category with its picture and the number of its posts, also those without any. */
export function summariesOfCategories(posts: readonly { content: string }[]): CategorySummary[] {
  const found = posts.map((post) => categoryOf(post.content))
  return categories.map((name) => ({
    name,
    image: pictures[name],
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

const picture = (paper: string, ink: string, path: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="${paper}" d="M0 0h48v48H0z"/>` +
      `<path fill="none" stroke="${ink}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" d="${path}"/></svg>`,
  )}`

const pictures: Record<Category, string> = {
  // A quill over a line of verse.
  Poetry: picture('#EFE3F5', '#6B3F86', 'M34 10C22 12 16 20 15 33M34 10c1 9-4 16-17 17M12 38h20'),
  // An open book.
  Fiction: picture(
    '#E2EAF7',
    '#2F4F8F',
    'M24 16c-4-4-9-4-14-3v21c5-1 10-1 14 3c4-4 9-4 14-3V13c-5-1-10-1-14 3zv21',
  ),
  // A road to the mountains.
  Travel: picture('#E1F0E4', '#2C6A3F', 'M8 32l10-16l7 11l4-6l11 11zM24 38v-2M24 42v-1'),
  // A screen with a prompt.
  Technology: picture('#DFF0F2', '#1F6570', 'M9 12h30v20H9zM19 38h10M16 18l4 4l-4 4M24 26h6'),
  // A steaming cup.
  Lifestyle: picture('#FBEBD9', '#8A4B12', 'M12 22h20v8c0 9-20 9-20 0zM32 24c7-1 7 7 0 7M18 10v6M25 10v6'),
  // A photograph with a corner of album paper.
  Memories: picture('#F8E3E1', '#94383A', 'M11 11h26v26H11zM11 29l8-7l7 7l4-4l7 6M29 18h1'),
}
