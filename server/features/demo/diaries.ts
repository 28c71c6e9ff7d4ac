/** Sample diary days, written for this project, with their writers and how many days ago they were written. */
export interface SampleDay {
  daysAgo: number
  content: string
}

/** The diary of the demo account. */
export const sampleDiary: readonly SampleDay[] = [
  {
    daysAgo: 1,
    content:
      'Wrote before breakfast, for once. Eleven lines, of which four may stay. The neighbour practises the same eight bars; by now I could hum the mistake.',
  },
  {
    daysAgo: 2,
    content:
      'Rain. I read yesterday’s pages aloud to the kitchen and crossed out every “suddenly”.\n\nNothing in my life has been sudden. It has all come up the stairs, slowly, and knocked.',
  },
  {
    daysAgo: 3,
    content: 'The library smelled of wet coats. A boy asked me whether I was writing homework. I said yes.',
  },
  {
    daysAgo: 5,
    content:
      'Met Irena by the lock. She says a story is a boat: first it must float, then you may paint it. I have been painting for a month.',
  },
  {
    daysAgo: 6,
    content:
      'Slept badly, dreamt of filing cabinets. Used it: the clerk in chapter two now dreams of them as well.',
  },
  {
    daysAgo: 8,
    content:
      'Sent the short one away. Walked to the letter box with it as if it were a child with a school bag.',
  },
  {
    daysAgo: 9,
    content:
      'No words today, only a list of sounds: kettle, tram, the lid of the piano next door, my own pen stopping.',
  },
  {
    daysAgo: 11,
    content:
      'Two pages! They are about my grandmother’s coat, which I thought I had forgotten. The buttons were made of horn.',
  },
  { daysAgo: 12, content: 'Corrected the two pages until one was left. The coat is still in it.' },
  {
    daysAgo: 15,
    content:
      'A room with strangers, thirty minutes, one story between us. Somebody killed the narrator at minute nine. We went on without her and it got better.',
  },
  {
    daysAgo: 16,
    content: 'Market day. Bought pears and a sentence: “They are sweeter if you are not in a hurry.”',
  },
  { daysAgo: 19, content: 'The editor wrote back: “Warmer, please.” I have put a stove in the first scene.' },
  { daysAgo: 21, content: 'Sun on the desk until four. I moved the chair after it like a cat.' },
]

export const sampleNotes: readonly SampleDay[] = [
  { daysAgo: 8, content: 'Post the short story' },
  { daysAgo: 2, content: 'Library closes at six' },
  { daysAgo: 0, content: 'Call Irena about Sunday' },
]
