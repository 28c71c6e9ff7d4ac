import type { Portfolio } from '#contract/creators/creator.ts'

export const koenigPortfolios: Record<string, Portfolio> = {
  'creator-amara-okonjo': {
    samples: [
      {
        title: 'The ninth plate',
        type: 'stories',
        content: `Grandmother laid nine plates for eight people, every evening, and nobody in our house was allowed to ask for whom. Children counted, of course. We counted spoons, cups, pieces of yam. The ninth plate got as much as every other, and after the meal it went to the goat, who was the only one of us that grew fat in the year of the flood.

The river came up to the second step that October, and stayed. On the fourth evening somebody knocked. It was not a polite knock. My uncle, who had slept with the paddle beside him since Sunday, looked at the door and did not get up.

Grandmother wiped her hands. “Well,” she said, as though we were the ones who had been waiting for eleven years, “pull out the chair.”`,
      },
      {
        title: 'What the ferryman charged',
        type: 'writing',
        content: `He took coins from the living and news from everyone else. My uncle paid in news for eleven years and never ran out: who had married down the creek, what the new teacher wore, which of the twins had learned to whistle.

Only after the funeral did we hear that he had stopped going to town in the second year. He had made up the rest. The teacher, the whistle, a whole wedding with a cake that slid into the water.

“I knew,” the ferryman told us. “They were good.” And he would not take our coins either.`,
      },
    ],
    hourlyRate: 85,
    availability: 'available',
    skills: ['Story development', 'Line editing', 'Reading aloud'],
    testimonials: [
      {
        client: 'Harbour Street Readers',
        review: 'She found the one scene we had been avoiding, and it became the heart of our book.',
        rating: 5,
      },
      { client: 'Jonas P.', review: 'Kind, exact, and she answers when she says she will.', rating: 5 },
    ],
  },
  'creator-leopold-brandt': {
    samples: [
      {
        title: 'Last tram to the depot',
        type: 'poetry',
        content: `The driver hums. The windows shine.
The seats are empty, all but nine,
and nobody has rung the bell.
Where each gets off, they will not tell.

One holds a cake upon his knees,
one sorts a heavy ring of keys,
one reads a letter, folds it small,
unfolds it, and says nothing at all.

At Mill Street no one leaves the car.
They have not come, they say, so far
to stand out in the rain alone
with half a song and no one home.

So round the loop and round once more
the driver takes them, door by door,
past every house where someone might
have left for them the hallway light.

And if your lamp is burning late,
and if a tram should stop and wait,
then do not ask them who they are.
Just bring umbrellas to the car.`,
      },
      {
        title: 'Liner notes: Songs for Returned Umbrellas',
        type: 'music',
        content: `Recorded in one night in the waiting room of the old depot, because the accordion liked the tiles. Track 1 has a radiator in it. We switched the radiator off and played the song again, and found that it had been our bass player.

Track 4 is for the woman who gave me back an umbrella that was not mine. She was so certain about it that I thanked her, and I have carried it ever since. If you are the owner: it is black, the handle is a wooden bird, and it is in good hands.`,
      },
    ],
    hourlyRate: 60,
    availability: 'busy',
    skills: ['Metre and rhyme', 'Stage readings', 'Song lyrics'],
    testimonials: [
      { client: 'Kulturhof Nord', review: 'Two hundred people and not one cough.', rating: 5 },
      { client: 'Marta S.', review: 'My wedding verses were finished a week early.', rating: 4 },
    ],
  },
  'creator-ines-carvalho': {
    samples: [
      {
        title: 'Week of the north wind',
        type: 'diary',
        content: `Monday. Sardines at 3.20 a kilo, which is robbery, and everyone paid. Wind from the north, two boats out, two boats back.

Wednesday. Senhor Abel has painted his door green again. He says that it is the same green. It is not the same green, and the whole street is pretending to him that it is.

Thursday. No boats. The men stand along the wall with their hands in their pockets like a row of coats.

Saturday. The small miracle of the week: the baker’s girl, who has not spoken since the move, said “two, please” to the ice-cream man. He gave her two and then had to go and sit in his van.`,
      },
      {
        title: 'Under the photograph of the harbour clock',
        type: 'photography',
        content: `It has been eleven minutes slow since the storm of 1987. The council repaired it once. The ferries left on time, people missed them, and after a week someone climbed up at night and put the eleven minutes back.`,
      },
    ],
    hourlyRate: 50,
    availability: 'available',
    skills: ['Keeping a diary', 'Interviews', 'Small places'],
    testimonials: [
      {
        client: 'Museum of the Fishing Quarter',
        review: 'We asked for captions and got a town.',
        rating: 5,
      },
    ],
  },
  'creator-hiroshi-tanabe': {
    samples: [
      {
        title: 'Envelope 3,904',
        type: 'poetry',
        content: 'rain on the letter box\nsomeone’s good news is getting\na little softer',
      },
      {
        title: 'Envelope 4,011',
        type: 'poetry',
        content: 'first cold morning\nthe cat reads yesterday’s paper\nwith her whole body',
      },
      {
        title: 'Envelope 4,016',
        type: 'poetry',
        content: 'new neighbours’ washing\nby evening one small sock has\ncrossed to our side',
      },
      {
        title: 'Envelope 4,020',
        type: 'poetry',
        content: 'nothing to deliver\nthe postman stays a moment\nlonger at the gate',
      },
      {
        title: 'On the back of envelope 4,020',
        type: 'writing',
        content: `People ask what I do on days when nothing comes. I write down the nearest thing that moves. If nothing moves, I write down the nearest thing that could. In eleven years there have been three days on which I sat until dark, and on all three the poem was about the dark, and it was not bad.`,
      },
    ],
    hourlyRate: 45,
    availability: 'available',
    skills: ['Short forms', 'Calligraphy', 'Workshops for beginners'],
    testimonials: [{ client: 'Lena, a student', review: 'I count syllables at bus stops now.', rating: 5 }],
  },
}
