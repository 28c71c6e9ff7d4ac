import type { ShowcaseItem } from '#contract/creators/showcase.ts'
import { initials } from '#contract/account/display-name.ts'
import { allCreators } from './sample-creators.ts'

/** The pieces of the showcase as they are before anybody likes one. */
export const showcaseItems: readonly ShowcaseItem[] = [
  item(
    'creator-freya-nilsen',
    'poetry',
    'Before the coffee',
    212,
    `The house is still the night’s.
I borrow a cup.
I borrow the window.

Across the yard a light goes on
in somebody I have never met.

Good morning, I say,
to be in practice.`,
  ),
  item(
    'creator-zuri-mwangi',
    'writing',
    'Overheard at the last stop',
    348,
    `“Are you getting off?”

“I am waiting for it to turn round.”

“It goes back the same way, you know.”

“Yes,” said the boy, “but then I will be on the other side.”`,
  ),
  item(
    'creator-david-oyelaran',
    'music',
    'Bridge, never used',
    175,
    `And if you call, I’ll be in the kitchen
with the radio on low,
pretending that I know the tune.
Everyone pretends they know the tune.

(Twelve bars, no drums. Take two. Somebody laughs at the end, and it stays in.)`,
  ),
  item(
    'creator-yasmin-haddad',
    'poetry',
    'Dictionary, left open',
    420,
    `In one language I am cold.
In the other the cold is at me.

In one I have a daughter.
In the other there is, at me, a daughter,
standing in the door with her shoes on,

and I see that it was always the better grammar:
nobody has anybody.
They stand at us, a while, and shine.`,
  ),
  item(
    'creator-nadia-petrova',
    'writing',
    'Classified',
    297,
    `FOUND, on the back stairs of this newspaper: one shadow, gentleman’s, long. The owner can collect it at the night desk between three and four, or should simply stop using our stairs.`,
  ),
  item(
    'creator-kwame-boateng',
    'music',
    'Notes on the Sunday drum',
    263,
    `The first beat is the pot lid. The second is my uncle’s knee. You cannot buy the third one anywhere; it is the small silence in which everybody looks at who will sing.

I have tried to play it in a studio. It needs at least six people and a smell of pepper.`,
  ),
  item(
    'creator-leopold-brandt',
    'poetry',
    'Lost property, window three',
    389,
    `One glove, one tooth, a marching drum,
a cage without its bird,
a suitcase full of chewing gum,
a final, unsent word.

The clerk has labelled every shelf.
He does it every year.
He came to ask about himself.
He’s somewhere over here.`,
  ),
  item(
    'creator-greta-halloran',
    'writing',
    'What the third bear said',
    231,
    `Everyone tells you about the porridge. I would like to talk about the chair. My father made it in the winter when I was sick, out of a tree that I had liked. She sat on it for less than a minute. Nobody in that story has ever said that they were sorry, and I am forty now.`,
  ),
  item(
    'creator-hiroshi-tanabe',
    'poetry',
    'Envelope 4,102',
    512,
    `spring cleaning
under the sofa, my son’s
entire fleet`,
  ),
  item(
    'creator-solrun-einarsdottir',
    'music',
    'Liner notes: Slow Kettle',
    148,
    `Side A is water. Side B is the same water, later. There is a moment near the end at which it almost sings; I waited nine mornings for that, in my coat. Please do not play this record while you cook, or you will keep getting up.`,
  ),
]

function item(
  creatorId: string,
  type: ShowcaseItem['type'],
  title: string,
  likes: number,
  content: string,
): ShowcaseItem {
  const { name, genre } = allCreators.find(({ id }) => id === creatorId)!
  return {
    id: `showcase-${creatorId}`,
    type,
    title,
    content,
    creatorName: name,
    creatorId,
    avatar: initials(name),
    category: genre,
    likes,
    isLiked: false,
  }
}
