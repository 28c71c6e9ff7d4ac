import { fromBase64url } from '#contract/rooms/credit/base64url.ts'
import { fingerprintOf } from '#contract/rooms/credit/formulas.ts'
import { sealPath } from '#contract/rooms/credit/read-file.ts'
import { type SealFacts, writeSeal } from '#contract/rooms/credit/write-seal.ts'
import type { Room } from '#contract/rooms/room.ts'
import { savedStory } from '#contract/rooms/saved-story.ts'
import { contributorsOf } from '#contract/rooms/story.ts'
import { asMarkdown } from '#contract/saving/markdown.ts'
import { asPlainText } from '#contract/saving/plain-text.ts'
import { asEpub } from '#contract/saving/epub.ts'
import type { StoryPassage } from './story-queries.ts'

const texts = { md: asMarkdown, txt: asPlainText }

export type StoryFormat = 'epub' | 'md' | 'txt' | 'seal'

export interface StoryOrder {
  room: Pick<Room, 'id' | 'name' | 'description' | 'opening' | 'expiresAt'>
  timeZone: string
  format: StoryFormat
  /** The seal, and how many passages it covers. Null for a story without one, whose format is never 'seal'. */
  sealed: { facts: SealFacts; count: number } | null
}

export function writeStory(
  { room, timeZone, format, sealed }: StoryOrder,
  passages: StoryPassage[],
): Uint8Array<ArrayBuffer> {
  const seal = () => JSON.stringify(writeSeal(sealed!.facts, passages.slice(0, sealed!.count).map(provedOf)))
  if (format === 'seal') return new TextEncoder().encode(seal())
  const contributors = contributorsOf(passages)
  const fingerprint = sealed && fingerprintOf(fromBase64url(sealed.facts.seal)!)
  const saved = savedStory(room, { passages, contributors }, timeZone, fingerprint)
  if (format !== 'epub') return new TextEncoder().encode(texts[format](saved))
  const files = sealed ? { [sealPath]: seal() } : {}
  return asEpub({ ...saved, book: { ...saved.book, files } })
}

/** A passage of which readers get no text has no salt in the seal. */
const provedOf = ({ createdAt, content, isErased, proof }: StoryPassage) => ({
  time: createdAt,
  textHash: proof!.textHash,
  who: proof!.who,
  ...(isErased ? { salt: null, text: null } : { salt: proof!.salt, text: content }),
})
