import type { Portfolio } from '#contract/creators/creator.ts'

export const mostCreativePortfolios: Record<string, Portfolio> = {
  'creator-juno-abara': {
    samples: [
      {
        title: 'Page 61',
        type: 'writing',
        content: `Someone had written “no” beside the proposal. I wrote “why not” and put the book back on the shelf.

A month later, in blue: “He had already asked my sister.”

I wrote: “What did she say?”

In March the book was gone, and I thought that was the end of it. In June it was back. Under my question, in a third hand, in pencil so faint that I had to carry it to the window: “Yes. Forty-one years. He read me this page on the train. We never knew that you minded.”

And below it, in blue, pressed hard into the paper: “I didn’t. Call me.”`,
      },
      {
        title: 'Instructions for a bookmark',
        type: 'design',
        content: `Cut a strip from a letter that you will not send. Leave one whole word on it. Put it into a book that you are going to lend.`,
      },
    ],
    hourlyRate: 48,
    availability: 'busy',
    skills: ['Collage', 'Book objects', 'Zines'],
    testimonials: [
      { client: 'Corner Shelf Books', review: 'We now sell more pencils than books.', rating: 5 },
    ],
  },
  'creator-anais-moreau': {
    samples: [
      {
        title: 'Score for a queue of at least five',
        type: 'poetry',
        content: `Stand as you would stand.
Find the foot that carries you.
Thank it. Give the weight away.

When the person before you moves,
wait one breath.
That breath is the dance.
Pass it back.

If somebody pushes in,
make the gap so wide
that it looks like an invitation.

At the counter:
say what you came for,
but slower,
as though it were a name.`,
      },
      {
        title: 'Notes for the film',
        type: 'video',
        content: `We shot it in a post office in one take, with the people who happened to be there. Nobody was told anything. At minute three, the man with the parcel shifts his weight and four strangers behind him do the same, one after the other, like a field. I have not cut it. You can hear me behind the camera, trying not to breathe.`,
      },
    ],
    hourlyRate: 58,
    availability: 'available',
    skills: ['Scores for movement', 'Workshops', 'Public spaces'],
    testimonials: [
      { client: 'Theater am Gleis', review: 'Our ticket queue has become a season.', rating: 5 },
      { client: 'Paul D.', review: 'I came to post a letter.', rating: 4 },
    ],
  },
  'creator-ravi-deshpande': {
    samples: [
      {
        title: 'Apology engine, model C: quick start',
        type: 'stories',
        content: `1. Place the engine between two people. Do not explain.

2. Wait for the humming. The humming is normal. It is usually the person on the left.

3. If the lamp turns green at once, check whether either of them was listening.

4. If the lamp turns red, the engine has found a second matter below the first. Do not switch it off now. Make tea.

5. Never point the engine at a mirror. Customers who did so report very long sessions.

Warranty: two years or one sincere use, whichever comes first.`,
      },
      {
        title: 'A letter to the manufacturer',
        type: 'writing',
        content: `Dear Sirs, I return herewith your model C. It worked. My brother has moved into my spare room, and I would like to know whether you make anything for that. Yours, H. Pelling`,
      },
    ],
    hourlyRate: 65,
    availability: 'available',
    skills: ['World building', 'Comic timing', 'Illustration'],
    testimonials: [
      { client: 'Tin Robot Games', review: 'Our manual won a prize. The game did not.', rating: 5 },
      { client: 'Hanne V.', review: 'Very funny, needs firm page limits.', rating: 3 },
    ],
  },
  'creator-solrun-einarsdottir': {
    samples: [
      {
        title: 'Episode 19: The gate',
        type: 'podcast',
        content: `(Wind, four minutes.)

You are listening to Moss Radio. It is a quarter past something. The gate at the end of the field is still open, as it was last week, and I have brought a chair.

(Wind. A sheep, thinking.)

Listeners have written to ask who left it open. I do not know. But a number of you have confessed, from eleven countries, and I would like to say that it is all right.

(Steps in wet grass. They stop. A latch.)

There. That was it. Thank you for waiting with me. Next week: the same field, with the gate shut.`,
      },
    ],
    hourlyRate: 44,
    availability: 'available',
    skills: ['Audio fiction', 'Field sound', 'Pauses'],
    testimonials: [
      { client: 'Sleepless in Turku', review: 'I have never heard the end. Perfect.', rating: 5 },
    ],
  },
}
