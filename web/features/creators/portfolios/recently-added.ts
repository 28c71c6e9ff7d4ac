import type { Portfolio } from '#contract/creators/creator.ts'

export const recentlyAddedPortfolios: Record<string, Portfolio> = {
  'creator-zuri-mwangi': {
    samples: [
      {
        title: 'Route 46, ten past seven',
        type: 'stories',
        content: `“Tell him I have moved,” said the woman in the third row into her phone. “Tell him I have changed my number. Tell him I have married.” She listened. “No. Taller.”

Two stops later she asked the conductor, who was very tall, whether he had eaten yet.`,
      },
      {
        title: 'Exact change',
        type: 'stories',
        content: `The old man gave the conductor a coin that has not been money for thirty years. The conductor turned it over. Everyone in the bus waited, because everyone in the bus has a grandfather.

“This is too much, Mzee,” said the conductor, and he counted forty shillings into the old man’s hand.`,
      },
    ],
    hourlyRate: 25,
    availability: 'available',
    skills: ['Very short stories', 'Dialogue', 'Cutting'],
    testimonials: [
      { client: 'Rush Hour Quarterly', review: 'We missed our stop. Twice.', rating: 5 },
      { client: 'Peter N.', review: 'I wanted more of it, which I suppose is the idea.', rating: 4 },
    ],
  },
  'creator-elias-lindqvist': {
    samples: [
      {
        title: 'On the second log',
        type: 'writing',
        content: `The first log warms you when you split it. My neighbour says this, and so does every neighbour north of here. Nobody has a saying about the second log, so I have had to find out for myself.

The second log is where the thinking starts. The first asked for skill, and you had plenty, having just eaten. The second asks whether you mean it. By the third your hands have stopped asking, and something at the back of the head sits down, takes off its boots, and begins to say what it has been wanting to say since Thursday.

I have written nothing good before the second log. I have burned a good deal that was written after the ninth.`,
      },
    ],
    hourlyRate: 30,
    availability: 'busy',
    skills: ['Personal essays', 'Editing for calm', 'Firewood'],
    testimonials: [{ client: 'Ingrid M.', review: 'I read it standing up and then sat down.', rating: 5 }],
  },
  'creator-priya-raghunathan': {
    samples: [
      {
        title: 'Lentils, for a day when nobody speaks',
        type: 'writing',
        content: `Wash them until the water gives up being cloudy. My aunts could do this for an hour. It was the nearest our house came to prayer.

Cover with water to the first joint of your finger. Whose finger, I asked once, and all four of them held up a hand, and the joints were at four different heights, and dinner had been the same every night of my life.

When the onions go in, stay close. Onions are when people come into a kitchen and stand about. My mother forgave her sister over onions, without a word, by moving half a step to the left so that there was room at the stove.

Salt at the end. Serve to everyone, whether or not they have come to the table.`,
      },
    ],
    hourlyRate: 35,
    availability: 'available',
    skills: ['Food essays', 'Recipe testing', 'Family interviews'],
    testimonials: [
      { client: 'Rosa’s Table', review: 'She made our menu read like a letter.', rating: 5 },
      { client: 'Dev K.', review: 'Lovely text, one deadline slipped by a day.', rating: 4 },
    ],
  },
  'creator-mateo-quispe': {
    samples: [
      {
        title: 'Sound walk, 4,310 metres',
        type: 'audio',
        content: `0:00 Boots on gravel. That is me.
2:40 Boots on frost. Still me, slower.
6:15 Nothing. Please listen to this part with good headphones. It is not silence. It is the sound of a great deal of air with nobody in it.
9:02 A llama. She had been there the whole time.
11:30 I say a sentence here that I had carried up for two years. The wind takes all of it but the name. I have decided to leave it as it is.`,
      },
      {
        title: 'What I tell people at the last hut',
        type: 'writing',
        content: `Drink before you are thirsty, put on the coat before you are cold, and turn round before you are sorry. It is a short speech. I have given it four hundred times, and I have needed it myself, mostly at sea level.`,
      },
    ],
    hourlyRate: 28,
    availability: 'available',
    skills: ['Field recording', 'Travel writing', 'Knowing when to stop'],
    testimonials: [{ client: 'Radio Altiplano', review: 'The llama has had letters.', rating: 5 }],
  },
}
