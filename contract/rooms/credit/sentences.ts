import type { Verdict, Verified } from './verify.ts'

/** A verdict in words: what a page shows and a command prints. */
export interface Sentences {
  isVerified: boolean
  heading: string
  lines: string[]
}

/** What a verified seal proves, and what it cannot prove. */
export const proved = [
  'The order: no passage was added, removed or moved after it was sealed.',
  'The same hand: passages with one mark were written by one person.',
  'The text, the times, the title and the end: nobody changed them after the seal.',
]
export const notProved = [
  'Whose the key is: anybody can make one, so compare it with those of the server.',
  'Who a hand is: a receipt opens its mark, and shows no legal identity.',
  'That the clock of the server was right.',
  'That the text is original.',
  'What the server signed for others: compare the fingerprint or a receipt with another reader.',
]

export function sentencesOf(verdict: Verdict): Sentences {
  switch (verdict.outcome) {
    case 'verified':
      return { isVerified: true, heading: 'Verified', lines: linesOf(verdict) }
    case 'two histories':
      return {
        isVerified: false,
        heading: 'This server has signed two histories',
        lines: [
          `One key has signed the receipt and the seal, and they differ at passage ${verdict.position} or before it.`,
        ],
      }
    case 'seal missing':
      return {
        isVerified: false,
        heading: 'Not verified: the seal is missing',
        lines: [
          `The server has signed the story up to passage ${verdict.head.position}. Add the seal of the story to verify the passages of the receipt.`,
        ],
      }
    case 'false':
      return {
        isVerified: false,
        heading:
          verdict.position === null ? 'Not verified' : `Not verified: passage ${verdict.position} is false`,
        lines: [verdict.reason],
      }
  }
}

function linesOf({ seal, fingerprint, withheld, own }: Verified): string[] {
  const hands = new Set(seal.passages.map(({ who }) => who)).size
  return [
    `“${onOneLine(seal.title)}” ended on ${instantInWords(seal.endedAt)}. The seal names ${seal.origin} as its server.`,
    `It has ${counted(seal.count, 'passage')} by ${counted(hands, 'hand')}. Order, times, hands and texts are as they were sealed.`,
    ...(withheld.length === 0 ? [] : [`Withheld: ${listed(withheld)}. The rest verifies.`]),
    ...(own === null ? [] : [`Written by the owner of the receipt: ${listed(own)}.`]),
    `Seal ${fingerprint}. The page of the story has to show the same.`,
    `Key ${seal.key}. ${seal.origin}/.well-known/zimmer-seal.json has to list it.`,
  ]
}

/** Without characters that begin a line, turn the direction of the text or command a terminal: a title is no sentence of ours. */
const onOneLine = (title: string) => title.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
/** In UTC for everybody: the same seal has the same sentences. */
const instantInWords = (at: string) => `${day.format(new Date(at))} at ${at.slice(11, 16)} UTC`

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const listedMax = 20

function listed(positions: readonly number[]): string {
  const shown = `${positions.length === 1 ? 'passage' : 'passages'} ${positions.slice(0, listedMax).join(', ')}`
  return positions.length > listedMax ? `${shown} and ${positions.length - listedMax} more` : shown
}
