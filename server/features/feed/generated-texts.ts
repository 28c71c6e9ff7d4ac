import type { Category } from '#contract/feed/categories.ts'
import type { Random } from '#server/platform/ids.ts'

/** Texts written for this project, with alternatives in braces. Line breaks are intended. */
const templates: Record<Category, readonly string[]> = {
  Poetry: [
    'Verse for an empty {chair|shelf|cup}\n\nNobody sat here {today|all winter|since the rain}.\nThe light came by, looked in,\nand left its coat.\n\nIf you write one line of verse tonight,\nwrite the one that waits up.',
    'A haiku is a {short|narrow|steep} stair\n\n{Frost|Rain|Dust} on the handrail.\nThree steps down to a small door:\nsomebody hums there.',
    'Poem with the window {open|half open|painted shut}\n\nI rhyme badly with {mornings|Mondays|my brother}.\nThe kettle keeps a stricter metre than I do.\nStill, a stanza comes in with the milk,\nshakes its wet shoes,\nand asks what there is to eat.',
    'Ballad of the {last tram|ferryman|night nurse}\n\nYou carried us over, you carried us home,\nand nobody asked for your song;\nit rode in your pocket, a folded poem,\nand knew the whole way all along.',
  ],
  Fiction: [
    'Chapter one\n\nThe {heroine|villain|narrator} of this story arrived {late|on foot|with somebody else’s luggage}, and so the story had begun without her. Two characters had already fallen out over a door. A third had locked it. She sat down on the step, opened the novel at the wrong page, and found that everybody in it was waiting for her.',
    'The dragon who kept {bees|a diary|silence}\n\nIn the old tale there is gold. There was none. There was a {tin box|red chair|cracked bell}, which the dragon guarded because nobody else had thought it worth guarding. When the hero came, he was offered tea. It is not a well-known legend; both of them preferred it so.',
    'A ghost applies for a room\n\n“Quiet,” she wrote under {occupation|habits|references}. The landlord read the form twice. He had had a fiction writer in there before, and after that {a trumpet|twins|a parrot}. He gave her the key, which she admired, and did not take.',
    'The {mapmaker|baker|piano tuner} who lied\n\nIt was a small lie: one street too many. For years the characters of this story walked around it politely. Then a child went in, came out at the other end with a bag of plums, and the whole plot had to be drawn again.',
  ],
  Travel: [
    'Notes from a {slow|night|nearly empty} train\n\nThe journey takes nine hours, and the man opposite has packed for twelve. At every station he offers me {a plum|half an egg|the window}. We cross a border in our sleep. In the morning neither of us knows the name of the country, and both of us know the name of his sister.',
    'A harbour in {November|the rain|the wrong season}\n\nThe guidebook says to come in summer. So the hotel was ours: forty rooms, one tourist and a cat. The ferry sailed without passengers, twice a day, and hooted at the empty pier as if to say that it had been asked to.',
    'What the map did not say about the {island|mountain|village}\n\nThat the road ends where the goats decide. That the only bus driver is also the mayor, and stops to be thanked. That you will travel there for the view, and remember the {bread|fog|dogs}.',
    'One ticket, {third class|no return|window seat}\n\nI left with a suitcase that I could not lift and came home with a bag that I forgot to put down. Somewhere between the two cities I had given away everything that I had packed “just in case”. The case had not come.',
  ],
  Technology: [
    'Repairing a {radio|typewriter|keyboard} with my neighbour\n\nHe owns a screwdriver for every decade. The machine lay open on the table like a small town seen from an airplane. “Here,” he said, “somebody before us was in a hurry.” We took the evening to undo it. Software, he thinks, is what happens when nobody can see the screws.',
    'Things my {first computer|old laptop|phone} still believes\n\nThat it is three o’clock. That I want to be online. That my password is the name of a dog who died in another century. I keep the machine in a drawer; sometimes its screen lights up, and we are both a little younger.',
    'A small program that writes {one line|one question|nothing} a day\n\nI wrote the code in an afternoon and have been reading its output for {a year|two winters|ninety days}. It has no data about me. It only knows the date. And still, on some mornings, the computer asks exactly what I was hoping to avoid.',
    'Offline for a {week|weekend|whole storm}\n\nThe network went first, then the server under the stairs, then the last phone. By the second evening we had found {a pack of cards|the good candles|each other’s handwriting}. When the internet came back, nobody got up to let it in.',
  ],
  Lifestyle: [
    'Soup for {one|four|whoever comes}\n\nStart with the onion, because it takes your mind off other things. Add what the week has left over. Cooking is mostly waiting near something warm; put a {notebook|chair|radio} there, and lunch will write half a page for you.',
    'A {quiet|crooked|stolen} morning routine\n\nCoffee before words. Words before news. A walk around the block, always the same way, so that the mind can go another. I have kept this habit for a year, and the only thing that changed is that I now notice {the bakery’s first light|who waters which garden|when the swifts leave}.',
    'What grew on the {balcony|windowsill|back step}\n\nI planted a garden of {three pots|seven jars|one old boot}. The basil left in June. The tomato was braver than its fruit. But on every evening since April I have stood there for ten minutes, doing nothing, and that has grown very well.',
    'Bread, the {second|fifth|forty-first} try\n\nThe recipe says: until it sounds hollow. I knock and listen. My grandmother knocked on melons, my father on walls. Baking is the one hour of my week in which I am allowed to knock and nobody asks me who is there.',
  ],
  Memories: [
    'My grandmother’s {button box|blue ladle|second-best scarf}\n\nShe could tell the family from it: this one off a uniform, that one off a wedding, the small red one off a childhood that she never explained. I inherited the box, and not the stories. So I remember them wrong, one button at a time.',
    'The {attic|cellar|summer} of my childhood\n\nWe were not allowed up there, so we knew it best. There was a photograph of an aunt whom nobody would name. We named her ourselves, and for years she was the only relative who took our side. I met her yesterday, in an album, and remembered to say thank you.',
    'What my father kept in {the glove box|his left pocket|a biscuit tin}\n\nA stub of pencil, a {church candle|stone with a hole|list in my mother’s hand}, the receipt for a coat. After the funeral we read the memories of a careful man, and all of them said: remember to come back for this.',
    'The {first|last|only} day of school\n\nI remember the smell of the coats and the nail on which mine hung. I remember that I was asked my name and was proud to know it. Everything else about that yesterday has been told to me so often that it belongs to my sister.',
  ],
}

export interface GeneratedText {
  content: string
  authorName: string
}

const authorName = 'Z!mmer Workshop'

/** Makes texts of one category, or of all. A template is used again only when all others were used. */
export function generatedTexts(
  count: number,
  category: Category | undefined,
  random: Random,
): GeneratedText[] {
  const known = category === undefined ? Object.values(templates).flat() : templates[category]
  let unused: string[] = []
  return Array.from({ length: count }, () => {
    if (unused.length === 0) unused = [...known]
    const [template] = unused.splice(below(unused.length, random), 1)
    const content = template!.replace(/\{([^}]*)\}/g, (_, alternatives: string) => {
      const all = alternatives.split('|')
      return all[below(all.length, random)]!
    })
    return { content, authorName }
  })
}

const below = (limit: number, random: Random): number => random.bytes(4).readUInt32BE() % limit
