export interface SampleRoom {
  name: string
  description: string
  isPublic: boolean
  duration: 15 | 30 | 60 | 120
  /** When it was opened, in minutes before now. */
  minutesAgo: number
  /** Indexes into the people; the first one opened it. */
  members: readonly number[]
  passages: readonly { by: number; content: string }[]
}

/** Sample rooms, written for this project: some are open, two are finished stories. Line breaks are intended. */
export const sampleRooms: readonly SampleRoom[] = [
  {
    name: 'The First Sentence',
    description: 'We begin with nothing but a door.',
    isPublic: true,
    duration: 30,
    minutesAgo: 2,
    members: [1],
    passages: [],
  },
  {
    name: 'Letters to a Future Neighbour',
    description: 'What you would want to be told before you move in.',
    isPublic: true,
    duration: 60,
    minutesAgo: 8,
    members: [4, 5],
    passages: [
      {
        by: 4,
        content:
          'You will hear a knocking in the pipes at six. That is the house asking whether you are up. Knock back twice.',
      },
      {
        by: 5,
        content:
          'The fig tree belongs to everybody. The ladder belongs to Herr Novak, who will say no and then hold it for you.',
      },
    ],
  },
  {
    name: 'For Greta’s Birthday',
    description: 'In secret, one passage each, before she comes home.',
    isPublic: false,
    duration: 60,
    minutesAgo: 15,
    members: [0, 3, 1],
    passages: [
      {
        by: 0,
        content:
          'In the town where the soup was invented there lived a girl who could smell the end of a story.',
      },
      { by: 3, content: 'It smelled, she said, of cumin and of somebody putting on their coat.' },
    ],
  },
  {
    name: 'The House That Moves at Night',
    description: 'Nobody has ever seen it go. Everybody has been late because of it.',
    isPublic: true,
    duration: 120,
    minutesAgo: 20,
    members: [2, 6, 7, 0],
    passages: [
      {
        by: 2,
        content:
          'Every morning the house stood one field further from the road, and every morning my aunt pretended that it was the road.',
      },
      {
        by: 6,
        content:
          'The postman stopped complaining in March. He had bought a map of the whole valley and a box of pins.',
      },
      {
        by: 7,
        content:
          'On the first of April he found it in the river, up to the sills, with all its windows open, looking pleased with itself.',
      },
    ],
  },
  {
    name: 'The Lamp on Platform Three',
    description: 'A night train stops where no station is. Somebody has left a light on.',
    isPublic: true,
    duration: 60,
    minutesAgo: 190,
    members: [3, 0, 5, 1, 4],
    passages: [
      {
        by: 3,
        content:
          'The train stopped so gently that nobody woke but the dog; and the dog, who had been with the railway for eleven years, knew at once that there was no station here.',
      },
      {
        by: 0,
        content:
          'There was, however, a platform. It had a bench, the number three, and a lamp with somebody’s scarf tied round the post.',
      },
      { by: 5, content: '“We should not get out,” said the woman with the cello, getting out.' },
      {
        by: 1,
        content:
          'The lamp leaned down a little, as tall people do with children. It had been waiting for so long that it had forgotten for what, and hoped that one of us would know.',
      },
      {
        by: 3,
        content:
          'On the bench lay a timetable with a single line: when you are ready. The conductor read it twice, took off his cap, and asked whether he might sit down.',
      },
      {
        by: 4,
        content:
          'Snow began,\nthen thought better of it.\nThe dog signed the platform\nwith four small signatures.',
      },
      {
        by: 0,
        content:
          'So the woman played. Not well, she said later. But the lamp grew so bright that we saw the other bank of the night, and on it, very small, a second platform with a second train, and people in its windows, listening.',
      },
      {
        by: 5,
        content:
          'Nobody remembers who got back in first. The scarf is in my cupboard. Sometimes, when it rains, it is warm.',
      },
    ],
  },
  {
    name: 'Recipe for a Storm',
    description: 'Everybody adds one thing. Nobody may stir.',
    isPublic: true,
    duration: 30,
    minutesAgo: 1560,
    members: [7, 6, 2],
    passages: [
      { by: 7, content: 'Take one window that does not close.' },
      { by: 6, content: 'Add the sound of a gate, far off, which nobody owns.' },
      {
        by: 2,
        content: 'Let it stand until the birds go quiet. Stirring makes wind, and wind is for beginners.',
      },
      {
        by: 7,
        content:
          'My mother put in a pinch of thunder at the end. I put it in first, and apologise afterwards.',
      },
      { by: 6, content: 'Serve in the kitchen, by candle, with everybody home.' },
    ],
  },
]
