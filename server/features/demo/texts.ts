/** Sample people and posts, written for this project. Line breaks are intended. */
export const samplePeople = [
  'Mira Castellan',
  'Tomasz Wieczorek',
  'Adaeze Obi',
  'Jonas Lindqvist',
  'Yuki Hanamori',
  'Leila Farrokh',
  'Paulo Teixeira',
  'Greta Sommer',
  'Siobhán Kerr',
  'Rafael Ibarra',
  'Anjali Menon',
  'Noor van Dijk',
] as const

export interface SamplePost {
  /** Index into the people. */
  by: number
  /** Days before today. */
  daysAgo: number
  content: string
}

export const samplePosts: readonly SamplePost[] = [
  {
    by: 0,
    daysAgo: 0,
    content:
      'Morning, with the window open\n\nThe kettle learns the note it sang last year.\nA crumb of light lies down upon the bread.\nI had a line; it waited to be clear,\nthen let a passing tram go through its head.\n\nSo here is what is left of it: the chair,\nthe cup, the poem leaving by the stair.',
  },
  {
    by: 3,
    daysAgo: 0,
    content:
      'My grandfather kept a harbour log for forty years. Wind, depth, who came in. On the day I was born he wrote: "Fog. One arrival." I found the page last night and read it to my daughter, who asked whether I had brought any fish.',
  },
  {
    by: 2,
    daysAgo: 0,
    content:
      'Chapter one, for the third time\n\nThe night coach to Enugu left an hour late, and everyone on it had already forgiven the driver except the woman in seat four, who forgave nobody and said so. She carried a clay pot wrapped in a wedding cloth. Every time the road dropped away beneath us, she spoke to it.\n\n“Almost,” she told the pot. “Almost, almost.”\n\nI was nineteen and had never in my life wanted so badly to know what was inside a thing.',
  },
  {
    by: 4,
    daysAgo: 0,
    content: 'The train window:\na rice field, a rice field,\nmy own tired face.',
  },
  {
    by: 5,
    daysAgo: 1,
    content:
      'Three days in Tbilisi: the city climbs, so you climb. On the second evening a baker put a bread in my hands without asking what I wanted, and he was right. I came for the old bath houses and stayed for the balconies, which lean over the street like aunts.',
  },
  {
    by: 6,
    daysAgo: 1,
    content:
      'I moved my notes off the cloud and onto a small computer under the stairs. It hums. My son calls it the fridge for words. What I did not expect: I write more now that the machine has a place in the house and I can hear it being awake.',
  },
  {
    by: 1,
    daysAgo: 1,
    content:
      'Inventory of a drawer\n\nTwo keys to no door.\nA ticket, half of it.\nMy father’s glasses, which see\nthe room a little further away,\nand are right.',
  },
  {
    by: 7,
    daysAgo: 2,
    content:
      'I have begun to cook on Sundays for the whole week, and it turns out that what I was missing was not time but soup. Lentils, cumin, the last lemon. The kitchen smells like someone who has decided to stay.',
  },
  {
    by: 0,
    daysAgo: 2,
    content:
      'Letter to a younger editor\n\nCut the first paragraph. It was the ladder; you are on the roof now.\nCut the word you are proud of.\nLeave the sentence that frightened you a little,\nand read it aloud to somebody who is doing something else.',
  },
  {
    by: 3,
    daysAgo: 3,
    content:
      'The lighthouse keeper’s daughter told the story differently. In hers, the light went out because somebody wanted it to. “Ships,” she said, “are the only people who believe what a lamp says.” She was eleven, and the inspector wrote it down as if it were evidence.',
  },
  {
    by: 4,
    daysAgo: 4,
    content:
      'I remember the summer my mother taught me to fold paper boats. We launched them in the gutter after rain and walked along beside them like their owners. One reached the corner. We never found out about the sea.',
  },
  {
    by: 2,
    daysAgo: 5,
    content:
      'Harmattan\n\nThe sky takes off its blue and shakes it out.\nDust on the books, dust on the tongue of the bell.\nMy aunt sweeps north, the wind sweeps south again:\nthey have been talking so for thirty years.',
  },
  {
    by: 6,
    daysAgo: 6,
    content:
      'Walked the coast path from Zambujeira to Odeceixe in two days. Storks nest on the sea stacks, as if somebody had dared them. My boots are ruined and I have understood something about patience that I cannot put into a guidebook.',
  },
  {
    by: 5,
    daysAgo: 8,
    content:
      'A good keyboard does not make a good writer, but a bad one makes a silent one. I repaired the old typewriter of the school. Now the children queue to type their names: the bell at the end of the line is the first editor they have met.',
  },
  {
    by: 7,
    daysAgo: 9,
    content:
      'After the move\n\nThe boxes keep their mouths shut.\nWe eat with the camping forks.\nIn the evening the new wall\ntries out our shadows,\ntaking them in a little at the waist.',
  },
  {
    by: 1,
    daysAgo: 11,
    content:
      'The clockmaker of Sanok would not sell me the clock. “It is slow,” he said. I said I was slow too. He thought about it long enough for the hour to strike somewhere behind him, and then he wrapped it in yesterday’s newspaper, which he had not finished reading.',
  },
  {
    by: 0,
    daysAgo: 13,
    content:
      'Small habits that kept me writing this winter: a lamp that is only for the desk, a page before the news, stopping in the middle of a sentence that I know the end of. None of it is discipline. It is more like leaving the door ajar.',
  },
  {
    by: 4,
    daysAgo: 15,
    content:
      'Second poem about the persimmon\n\nNobody picked it.\nSnow sat down beside it.\nThey discussed orange.',
  },
  {
    by: 3,
    daysAgo: 17,
    content:
      'My first school had one map, and our village was under the nail. For years I believed that home was a small round shine in the middle of the country, from which everything hung.',
  },
  {
    by: 2,
    daysAgo: 20,
    content:
      'She hid the novel in the software manual, chapter by chapter, between the settings and the index. In four years nobody noticed. Then a letter came from a dam in Norway: “Dear madam, we have followed your instructions to page 312. Does Ifeoma come back?”',
  },
  {
    by: 6,
    daysAgo: 22,
    content:
      'Night ferry\n\nThe island goes out like a pipe.\nSomebody’s radio finds one more song.\nWe stand at the rail, strangers,\nwatching the same dark close its book.',
  },
  {
    by: 5,
    daysAgo: 25,
    content:
      'My grandmother measured distance in stories. The well was a short one. The next village was the long one about the donkey and the judge. When the road was paved, she complained that there was no time to finish anything.',
  },
  {
    by: 7,
    daysAgo: 27,
    content:
      'On the train to Trieste the conductor punched my ticket, saw my notebook and punched the corner of the page as well. “Valid,” he said. It is the best review I have had.',
  },
  {
    by: 1,
    daysAgo: 29,
    content:
      'First frost\n\nOvernight the meadow was proofread.\nEvery comma stands up white.\nI walk at the edge of it, careful,\nlike somebody who has found a mistake\nand would rather not say.',
  },
]

export const samplePending = [
  { by: 0, content: 'A note on endings: the best one I know is a door that somebody forgot to close.' },
  { by: 4, content: 'Rain all night.\nThe frogs hold their meeting\nwithout a chair.' },
  {
    by: 6,
    content: 'What I packed for a year at sea: two books, one knife, and the recipe for my mother’s bread.',
  },
] as const
