import { fromBase64url, toBase64url } from './base64url.ts'
import { firstLink, nextLink } from './formulas.ts'
import type { Seal, SealedPassage } from './seal.ts'

export type SealFacts = Omit<Seal, 'format' | 'count' | 'passages'>

/** The seal of a story with a link for each of its passages. The signature covers the last link. */
export function writeSeal(facts: SealFacts, passages: readonly Omit<SealedPassage, 'link'>[]): Seal {
  let link = firstLink({ id: facts.room, createdMs: Date.parse(facts.createdAt) })
  const linked = passages.map((passage, i) => {
    const [textHash, who] = [fromBase64url(passage.textHash)!, fromBase64url(passage.who)!]
    link = nextLink(link, { position: i + 1, timeMs: Date.parse(passage.time), textHash, who })
    return { ...passage, link: toBase64url(link) }
  })
  return { format: 'zimmer/seal/1', ...facts, count: passages.length, passages: linked }
}
