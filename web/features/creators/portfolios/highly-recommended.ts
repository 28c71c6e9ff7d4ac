import type { Portfolio } from '#contract/creators/creator.ts'

export const highlyRecommendedPortfolios: Record<string, Portfolio> = {
  'creator-nadia-petrova': {
    samples: [
      {
        title: 'Corrections and clarifications',
        type: 'stories',
        content: `On Tuesday we reported that Mr Voss, 81, had left no family. Mr Voss has since been in touch.

In Wednesday’s edition the house in Linden Road was described as empty. We apologise to those concerned.

Our weather forecast of the 9th was correct at the time and place for which it was written. The department regrets that this was not 9 March of the present year.

The photograph on page 3 shows, from left to right, the mayor, the director of the waterworks, and the director of the waterworks. We have no explanation. Neither has he.

A reader asks whether the night desk is still staffed. The telephone on the night desk was disconnected in 1994. We thank the reader for her call.`,
      },
      {
        title: 'From the style guide, section 9',
        type: 'writing',
        content: `The dead are referred to in the past tense on first mention. If they object, follow the wishes of the family.`,
      },
    ],
    hourlyRate: 70,
    availability: 'available',
    skills: ['Plot', 'Serial fiction', 'Dialogue'],
    testimonials: [
      {
        client: 'Lamp & Letter Press',
        review: 'Readers wrote in to ask whether we were all right.',
        rating: 5,
      },
      { client: 'Owen T.', review: 'Frightened my whole book club.', rating: 5 },
    ],
  },
  'creator-samir-chaudhry': {
    samples: [
      {
        title: 'Why turning it off and on again works',
        type: 'writing',
        content: `Imagine a clerk who writes everything down on one long strip of paper. He writes what you asked for, what he answered, where he put the stapler. He never throws a strip away, because nobody told him which ones are finished.

By Thursday he is standing up to his chest in paper. He still knows where everything is. It just takes him longer and longer to reach it, and now and then he reads you yesterday’s strip.

When you turn the machine off, somebody opens a window. All the paper blows out. The clerk sits down at a clean desk with one rule pinned above it, which is the only thing he never had to remember.

That is all. You did not break it, and you were not told off. Somebody opened a window.`,
      },
    ],
    hourlyRate: 75,
    availability: 'available',
    skills: ['Explaining', 'Manuals', 'Patience'],
    testimonials: [
      { client: 'Hilde R., 79', review: 'I now explain it to my son.', rating: 5 },
      { client: 'Public Library West', review: 'Forty chairs were not enough.', rating: 5 },
    ],
  },
  'creator-greta-halloran': {
    samples: [
      {
        title: 'The guard at the spinning room',
        type: 'stories',
        content: `Nobody asked me what I heard through that door. I heard a girl laughing, three nights running, and straw that sounded like rain.

They tell it now as though there had been a bargain. I was there. There was a man no higher than my belt who came along the passage with a lunch tin and wished me good evening, which in four years of guarding that door the king had not done.

“What’s your name?” I asked him, the second night.

He told me. It was a long one, and he spelled it out for me. I have never understood why the queen had to send riders into three countries to find it. I was outside the door the whole time, and she had only to ask.`,
      },
    ],
    hourlyRate: 50,
    availability: 'available',
    skills: ['Retelling', 'Reading aloud', 'Stories for mixed ages'],
    testimonials: [
      { client: 'Ms Dunne, class 4b', review: 'They asked for the door to stay open.', rating: 5 },
    ],
  },
  'creator-tomasz-wilk': {
    samples: [
      {
        title: 'Log, week 31',
        type: 'diary',
        content: `Sunday. Lamp lit by itself at 20:52, as it has done since they put in the sensor. I lit my pipe at 20:53, to have a part in it.

Monday. Wind west, 6. A razorbill, the first since April. He stood on the rail and looked at me as one looks at staff.

Wednesday. The inspector came by boat to ask whether I had thought about the mainland. I said that I think about it every day; I can see it from here.

Thursday. 114 species. I had put down 115, but the last one turned out to be a glove.

Saturday. Fog. I sounded the old horn at noon, by hand, though no one is supposed to need it. Far out, somebody answered.`,
      },
    ],
    hourlyRate: 38,
    availability: 'busy',
    skills: ['Observation', 'Logs and letters', 'Bird names in four languages'],
    testimonials: [
      { client: 'Coast & Tide', review: 'The glove is our most reprinted sentence.', rating: 5 },
      { client: 'Ada L.', review: 'Replies come by boat. Allow for weather.', rating: 4 },
    ],
  },
}
