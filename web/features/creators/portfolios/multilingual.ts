import type { Portfolio } from '#contract/creators/creator.ts'

export const multilingualPortfolios: Record<string, Portfolio> = {
  'creator-yasmin-haddad': {
    samples: [
      {
        title: 'Customs',
        type: 'poetry',
        content: `Anything to declare, he asked.
Two words for longing, I said,
and neither of them
will fit in your form.

He turned the page around for me.
There was a box marked Other.
I have been living in it
for nineteen years.

It has a window.
In the mornings the light comes in
from right to left.`,
      },
      {
        title: 'My mother learns to spell my name',
        type: 'poetry',
        content: `She gave it to me by mouth.
Now the school wants it on paper
in letters that stand apart
like people at a bus stop.

Why don’t they hold hands, she asks,
and joins them, one by one,
until the name can walk.`,
      },
    ],
    hourlyRate: 55,
    availability: 'available',
    skills: ['Arabic and English verse', 'Translation', 'Reading in public'],
    testimonials: [
      {
        client: 'Bridge Festival',
        review: 'Half the room read left, half read right, all of us cried.',
        rating: 5,
      },
    ],
  },
  'creator-lucia-ferrante': {
    samples: [
      {
        title: 'Footnote 14',
        type: 'writing',
        content: `The author uses a verb here that means to put off going home. My language has no such verb, so for six weeks I did not finish the page. I walked along the canal. I had another coffee. I wrote to the author, who is eighty-four, and asked what exactly the man in the story was doing on the bench.

“What you are doing now,” she wrote back.

I have translated it as “he sat a while”. It is not enough. This footnote is the rest of it.`,
      },
    ],
    hourlyRate: 65,
    availability: 'busy',
    skills: ['Italian and French', 'Literary translation', 'Footnotes'],
    testimonials: [
      {
        client: 'Edizioni del Molo',
        review: 'Two reviewers praised the footnotes. One forgot the novel.',
        rating: 5,
      },
      { client: 'Claire B.', review: 'Late, and worth the wait.', rating: 4 },
    ],
  },
  'creator-kwame-boateng': {
    samples: [
      {
        title: 'Ti koro nkɔ agyina',
        type: 'audio',
        content: `One head does not hold a council. My aunt Esi gave me this one, and she gave it to me by leaving the room.

I was nineteen and had decided everything. I told her the plan, all of it, standing up. She nodded, she put down her sewing, she went out and shut the door.

So I told it to the chair. I told it to the radio. By the time I got to the money I could hear what was wrong with it, and I opened the door to say so, and she was standing there with my two uncles and a plate of groundnuts. “Now,” she said. “From the beginning.”

(Drum enters here, on the off beat. That is her finger on the door.)`,
      },
    ],
    hourlyRate: 48,
    availability: 'available',
    skills: ['Spoken word', 'Percussion', 'School visits'],
    testimonials: [
      { client: 'Eastside Primary', review: 'The children now leave rooms in order to teach us.', rating: 5 },
    ],
  },
  'creator-oksana-melnyk': {
    samples: [
      {
        title: 'Letter 212',
        type: 'diary',
        content: `You asked what I eat. I told you soup. I did not tell you that I cook it for six and then go and knock on doors.

Frau Anders on the second floor says that she is not hungry, and eats two bowls. The student eats standing, as though the soup might be called away. The boy from the fourth floor has taught me the German word for what I am: a neighbour, but made of two words, near and farmer. I laughed so much that he thought I was crying.

The pot is yours, the one with the dent. It came the whole way on my knees.`,
      },
      {
        title: 'Letter 230, the one I sent',
        type: 'diary',
        content: `All is well. I am eating enough. The winter is mild here and nobody believes me when I say so.`,
      },
    ],
    hourlyRate: 40,
    availability: 'busy',
    skills: ['Letters and memoir', 'Ukrainian and German', 'Interviews'],
    testimonials: [
      { client: 'Anke W.', review: 'She listened for three hours and wrote two perfect pages.', rating: 5 },
      { client: 'City archive', review: 'Careful with sources and with people.', rating: 4 },
    ],
  },
}
