import { readKey } from '#web/lib/session-keys.ts'
import { hasPersonLeft, personKey, storedJson, storedKeys } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'
import type { ReadingPosition } from './position.ts'

/** The reading position in one text: in an article by the id of its post, in a story by the id of its room. */
interface StoredPosition extends ReadingPosition {
  id: string
}

// `/theme.js` reads this key too.
const prefix = 'reading-positions'
const keptMax = 100

const position = storedRow<StoredPosition>({ id: 'string', offset: 'number', quote: 'string' })

/** The text that was left last is the last one. */
const positionsAt = (key: string) =>
  storedJson<readonly StoredPosition[]>({
    key,
    schema: { parse: (stored) => (stored as unknown[]).map(position.parse) },
    fallback: [],
  })

const positionsOf = (owner: string) => positionsAt(personKey(prefix, owner))

/** The reading positions of a person, the text that was left last at the end. */
export const readPositions = (owner: string): readonly StoredPosition[] => positionsOf(owner).read()

export const positionIn = (owner: string, id: string): ReadingPosition | undefined =>
  positionsOf(owner)
    .read()
    .find((known) => known.id === id)

/** Stores the reading position in a text. Without a position it removes the stored one. */
export function keepPosition(owner: string, id: string, read: ReadingPosition | undefined): void {
  // The person may have logged out in another tab, which has removed the positions. This page then is that of a visitor, but
  // what is open in it is what the person has read.
  if (readKey('userId') !== owner && (readKey('guestId') !== owner || hasPersonLeft())) return
  const stored = positionsOf(owner)
  const all = stored.read()
  const others = all.filter((known) => known.id !== id)
  if (read !== undefined) stored.write([...others, { id, ...read }].slice(-keptMax))
  else if (others.length === 0) stored.remove()
  else if (others.length < all.length) stored.write(others)
}

/** Whether this browser has a position in this text, of whichever person. */
export const hasPositionIn = (id: string): boolean =>
  storedKeys('localStorage').some(
    (key) =>
      key.startsWith(`${prefix}:`) &&
      positionsAt(key)
        .read()
        .some((known) => known.id === id),
  )
