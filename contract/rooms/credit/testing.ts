import { ed25519 } from '@noble/curves/ed25519'
import { toBase64url } from './base64url.ts'
import { headMessage, sealMessage, textHashOf, whoOf } from './formulas.ts'
import type { Receipt, Seal } from './seal.ts'
import { linksOf, writeSeal } from './write-seal.ts'

const filled = (length: number, value: number) => new Uint8Array(length).fill(value)
const keyOfServer = filled(32, 7)
const room = '01976000-0000-7000-8000-000000000001'
const createdAt = '2025-06-10T20:30:00.000Z'
const endedAt = '2025-06-10T22:30:00.000Z'
export const ana = { id: 'anaanaanaa', secret: filled(16, 1) }
const ben = { id: 'benbenbenb', secret: filled(16, 2) }

interface Written {
  author: typeof ana
  text: string
}

const written: Written[] = [
  { author: ana, text: 'It was a long night.' },
  { author: ben, text: 'Nobody slept — not even “the cat” 🐈.\nIt sang.' },
  { author: ana, text: 'Then the sun came up.' },
]

interface Story {
  passages: Written[]
  key: Uint8Array
  headKey: Uint8Array
  headAt: number
  title: string
  origin: string
  /** The number of passages that the server signs. */
  count: number
}

/** A sealed story and the receipt of Ana, who has signed for passage `headAt`. */
export function aSealedStory({
  passages = written,
  key = keyOfServer,
  headKey = key,
  headAt = passages.length,
  title = 'The long night',
  origin = 'https://zimmer.example',
  count = passages.length,
}: Partial<Story> = {}): { seal: Seal; receipt: Receipt } {
  const publicKey = toBase64url(ed25519.getPublicKey(key))
  const proved = passages.map(({ author, text }, i) => {
    const salt = filled(16, 10 + i)
    return {
      time: new Date(Date.parse(createdAt) + 1000 * i + 1).toISOString(),
      textHash: toBase64url(textHashOf(salt, text)),
      who: toBase64url(whoOf(author.secret, author.id)),
      salt: toBase64url(salt),
      text,
    }
  })
  const links = linksOf({ room, createdAt, passages: proved })
  const link = links.at(-1)!
  const headOf = (head: { position: number; link: Uint8Array }, by: Uint8Array) =>
    toBase64url(ed25519.sign(headMessage({ origin, roomId: room, ...head }), by))
  const signed = { link, count, endedMs: Date.parse(endedAt), title }
  const seal = writeSeal(
    {
      origin,
      room,
      title,
      createdAt,
      endedAt,
      key: publicKey,
      head: headOf({ position: count, link }, key),
      seal: toBase64url(ed25519.sign(sealMessage(signed), key)),
    },
    proved,
  )
  const receipt: Receipt = {
    format: 'zimmer/receipt/1',
    origin,
    room,
    person: ana.id,
    secret: toBase64url(ana.secret),
    head: {
      position: headAt,
      link: toBase64url(links[headAt]!),
      key: toBase64url(ed25519.getPublicKey(headKey)),
      signature: headOf({ position: headAt, link: links[headAt]! }, headKey),
    },
    passages: proved.flatMap(({ time, salt, text }, i) =>
      passages[i]!.author === ana ? [{ position: i + 1, time, salt, text }] : [],
    ),
  }
  return { seal: { ...seal, count }, receipt }
}
