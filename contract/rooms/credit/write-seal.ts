import { fromBase64url, toBase64url } from './base64url.ts'
import { firstLink, nextLink } from './formulas.ts'
import type { Seal, SealedPassage } from './seal.ts'

export type SealFacts = Omit<Seal, 'format' | 'count' | 'passages'>

type UnlinkedPassage = Omit<SealedPassage, 'link'>

/** The seal of a story with a link for each of its passages. The signature covers the last link. */
export function writeSeal(facts: SealFacts, passages: readonly UnlinkedPassage[]): Seal {
  const links = linksOf({ ...facts, passages })
  const linked = passages.map((passage, i) => ({ ...passage, link: toBase64url(links[i + 1]!) }))
  return { format: 'zimmer/seal/1', ...facts, count: passages.length, passages: linked }
}

/** The links of a story, as its passages give them: the first link, and one for each passage. */
export function linksOf({
  room,
  createdAt,
  passages,
}: Pick<Seal, 'room' | 'createdAt'> & { passages: readonly UnlinkedPassage[] }): Uint8Array[] {
  const links = [firstLink({ id: room, createdMs: Date.parse(createdAt) })]
  for (const [i, { time, textHash, who }] of passages.entries())
    links.push(
      nextLink(links[i]!, {
        position: i + 1,
        timeMs: Date.parse(time),
        // The schema of a seal has let only base64url pass.
        textHash: fromBase64url(textHash)!,
        who: fromBase64url(who)!,
      }),
    )
  return links
}
