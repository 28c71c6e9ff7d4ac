import type { Portfolio } from '#contract/creators/creator.ts'

export const morePortfolios: Record<string, Portfolio> = {
  'creator-beatriz-navarro': {
    samples: [
      {
        title: 'Bed nine, with a view of the sea',
        type: 'diary',
        content: `There is no sea within two hundred kilometres of this ward. Bed nine looks out on the laundry. But he asked me at three in the morning whether the tide was in, and I have been doing this for long enough to go to the window before I answer.

“Nearly,” I said.

He nodded. He wanted to know about the boats. I gave him three boats and a man mending something. He wanted to know whether the man looked cold, and I said no, somebody had brought him a coat.

At six the laundry lights went on, all along the yard, one after the other. “There they go,” said bed nine, very pleased, and he slept.`,
      },
    ],
    hourlyRate: 32,
    availability: 'busy',
    skills: ['Memoir', 'Writing after work', 'Discretion'],
    testimonials: [{ client: 'Night Pages', review: 'One page. I still think of the coat.', rating: 5 }],
  },
  'creator-callum-fraser': {
    samples: [
      {
        title: 'The Second Pub, chapter one',
        type: 'stories',
        content: `The island has two pubs so that there is somewhere to go after you have been thrown out of the first one. It has one policeman, because there is nobody else for him to arrest.

So when Dougie Baird was found in the harbour on the Friday, with his good shoes on and somebody else’s watch, Constable Rennie already knew who had done it, who had seen it, what each of them would say, and in which pub. What he did not know was the time. The watch had stopped at ten to four, and at ten to four on Friday every soul on the island, Dougie included, had been in church, singing, with Rennie himself at the organ.`,
      },
    ],
    hourlyRate: 42,
    availability: 'available',
    skills: ['Plot', 'Dialect', 'Alibis'],
    testimonials: [
      { client: 'Ferry Reads', review: 'Sold out between the mainland and the first island.', rating: 5 },
      { client: 'Morag S.', review: 'He has put my kitchen in it.', rating: 3 },
    ],
  },
  'creator-mei-ling-zhou': {
    samples: [
      {
        title: 'Page for a Monday',
        type: 'art',
        content: `Panel 1: a kettle.
Panel 2: the same kettle, worried.
Panel 3: steam in the shape of an unanswered message.
Panel 4: a hand that reaches for the telephone, and takes the cup beside it.
Panel 5: the telephone, relieved.`,
      },
      {
        title: 'Page for the Tuesday after',
        type: 'art',
        content: `Panel 1: the telephone rings.
Panels 2 to 7: everything in the kitchen looks at it. The spoons are standing.
Panel 8: very small, in the corner: “Hello, Mama.”`,
      },
    ],
    hourlyRate: 52,
    availability: 'available',
    skills: ['Comics', 'Lettering', 'Visual scripts'],
    testimonials: [
      { client: 'Quiet Panel Anthology', review: 'Delivered before noon, of course.', rating: 5 },
    ],
  },
  'creator-david-oyelaran': {
    samples: [
      {
        title: 'Lines that were cut from “Platform Two”',
        type: 'music',
        content: `You packed the way you argue,
neatly, with the heavy things below.

I learned your mother’s number
the way you learn a prayer,
in case.

The train was late eleven minutes.
I have used them ever since.

(The producer wanted a chorus there. The chorus is “oh-oh”. It went to number nine.)`,
      },
      {
        title: 'Liner notes, side B',
        type: 'music',
        content: `Track 6: the drummer thought we had finished. That is why it ends like that. Track 7: my daughter is in the next room asking for juice in E flat, so we moved the key.`,
      },
    ],
    hourlyRate: 55,
    availability: 'busy',
    skills: ['Lyrics', 'Co-writing', 'Second verses'],
    testimonials: [{ client: 'Studio Brückenkopf', review: 'We record the drafts now.', rating: 5 }],
  },
  'creator-freya-nilsen': {
    samples: [
      {
        title: 'Four minutes',
        type: 'poetry',
        content: `One.
The sea takes my feet
and gives me back my feet.

Two.
Everything that I was going to say
has gone up the beach to get dressed.

Three.
A gull looks down,
sees nothing it could use.

Four.
I am a bell
that somebody has rung
and set down, carefully,
in the cold.`,
      },
    ],
    hourlyRate: 30,
    availability: 'available',
    skills: ['Short lines', 'Winter workshops', 'Flasks of tea'],
    testimonials: [{ client: 'Jutta, swimmer', review: 'Shorter than my scream.', rating: 5 }],
  },
}
