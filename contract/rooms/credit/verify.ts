import { ed25519 } from '@noble/curves/ed25519'
import * as z from 'zod/mini'
import { fromBase64url, toBase64url } from './base64url.ts'
import { fingerprintOf, headMessage, sealMessage, textHashOf, whoOf } from './formulas.ts'
import { Receipt, Seal } from './seal.ts'
import { linksOf } from './write-seal.ts'

export interface Verified {
  outcome: 'verified'
  seal: Seal
  fingerprint: string
  /** The positions of which readers get no text. */
  withheld: number[]
  /** The positions that carry the mark of the receipt; null without a receipt. */
  own: number[] | null
}

export type Verdict =
  | Verified
  /** `position` is the first false passage; null where a part of the whole file is false. */
  | { outcome: 'false'; position: number | null; reason: string }
  | { outcome: 'two histories'; position: number }
  | { outcome: 'seal missing'; head: Receipt['head'] }

/** Verifies the contents of a seal, of a receipt, or of both. It asks no server and needs no API of the browser. */
export function verify(files: readonly string[]): Verdict {
  const parsed = files.map(parse)
  const seals = parsed.filter((file) => file?.format === 'zimmer/seal/1')
  const receipts = parsed.filter((file) => file?.format === 'zimmer/receipt/1')
  if (parsed.includes(undefined))
    return isFalse('A file is not a seal or a receipt of Z!mmer, or it is damaged.')
  if (parsed.length === 0 || seals.length > 1 || receipts.length > 1)
    return isFalse('Give one seal, one receipt, or one of each.')
  const [seal, receipt] = [seals[0], receipts[0]]
  if (seal === undefined) return verifyHead(receipt!) ?? { outcome: 'seal missing', head: receipt!.head }
  const links = linksOf(seal)
  const failed = verifySeal(seal, links)
  if (failed !== undefined) return failed
  if (receipt !== undefined) {
    const contradiction = verifyHead(receipt) ?? compareHistories(receipt, seal, links)
    if (contradiction !== undefined) return contradiction
  }
  const mark = receipt && toBase64url(whoOf(bytes(receipt.secret), receipt.person))
  return {
    outcome: 'verified',
    seal,
    fingerprint: fingerprintOf(bytes(seal.seal)),
    withheld: positionsOf(seal, ({ text }) => text === null),
    own: mark === undefined ? null : positionsOf(seal, ({ who }) => who === mark),
  }
}

function parse(file: string): Seal | Receipt | undefined {
  try {
    return z.union([Seal, Receipt]).parse(JSON.parse(file))
  } catch {
    return undefined
  }
}

function verifySeal(seal: Seal, links: Uint8Array[]): Verdict | undefined {
  const { origin, room, title, endedAt, count, passages } = seal
  for (const [i, { text, salt, textHash, link }] of passages.entries()) {
    if ((text === null) !== (salt === null)) return isFalse('A text or a salt is missing.', i + 1)
    if (text !== null && toBase64url(textHashOf(bytes(salt!), text)) !== textHash)
      return isFalse('The text was changed.', i + 1)
    if (toBase64url(links[i + 1]!) !== link)
      return isFalse('The order, the time, the author or a passage before it was changed.', i + 1)
  }
  if (count !== passages.length) return isFalse('The number of passages was changed.')
  const link = links.at(-1)!
  const key = bytes(seal.key)
  if (!isSigned(seal.seal, sealMessage({ link, count, endedMs: Date.parse(endedAt), title }), key))
    return isFalse('The title, the end, the number of passages, the key or the signature was changed.')
  if (!isSigned(seal.head, headMessage({ origin, roomId: room, position: count, link }), key))
    return isFalse('The address of the server or its signature was changed.')
  return undefined
}

function verifyHead({ origin, room, head }: Receipt): Verdict | undefined {
  const { position, link, key, signature } = head
  const message = headMessage({ origin, roomId: room, position, link: bytes(link) })
  return isSigned(signature, message, bytes(key))
    ? undefined
    : isFalse('The signed head of the receipt was changed.')
}

function compareHistories(receipt: Receipt, seal: Seal, links: Uint8Array[]): Verdict | undefined {
  const { head } = receipt
  if (receipt.room !== seal.room) return isFalse('The receipt is that of another story.')
  const link = links[head.position]
  if (link === undefined || toBase64url(link) !== head.link) {
    // Anybody can make a key, so another key says nothing about this server.
    if (head.key !== seal.key)
      return isFalse(
        'Receipt and seal differ, and they are signed with different keys. A server that lists both keys has signed two histories.',
      )
    return { outcome: 'two histories', position: head.position }
  }
  const mark = toBase64url(whoOf(bytes(receipt.secret), receipt.person))
  for (const { position, time, salt, text } of receipt.passages) {
    const sealed = seal.passages[position - 1]
    const isOwn = sealed?.who === mark && sealed.time === time
    if (!isOwn || (text === null) !== (salt === null))
      return isFalse('The passage of the receipt is not that of the seal.', position)
    if (text !== null && toBase64url(textHashOf(bytes(salt!), text)) !== sealed.textHash)
      return isFalse('The text of the receipt is not that of the seal.', position)
  }
  return undefined
}

const isSigned = (signature: string, message: Uint8Array, key: Uint8Array) =>
  // Strict: one message and one key have one signature.
  ed25519.verify(bytes(signature), message, key, { zip215: false })

const positionsOf = (seal: Seal, isMeant: (passage: Seal['passages'][number]) => boolean): number[] =>
  seal.passages.flatMap((passage, i) => (isMeant(passage) ? [i + 1] : []))

const isFalse = (reason: string, position: number | null = null): Verdict => ({
  outcome: 'false',
  position,
  reason,
})

/** The schema has let only base64url pass. */
const bytes = (text: string) => fromBase64url(text)!
