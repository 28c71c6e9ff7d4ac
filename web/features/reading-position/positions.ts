import { readKey } from '#web/lib/session-storage.ts'
import { personKey, storedJson, storedKeys } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'
import type { Place } from './place.ts'

/** Where a reader left a text: an article by the id of its post, or a story by the id of its room. */
interface Position extends Place {
  id: string
}

// `/theme.js` reads this key too.
const prefix = 'reading-positions'
const keptMax = 100

const position = storedRow<Position>({ id: 'string', offset: 'number', words: 'string' })

/** The text that was left last is the last one. */
const positionsAt = (key: string) =>
  storedJson<readonly Position[]>({
    key,
    schema: { parse: (stored) => (stored as unknown[]).map(position.parse) },
    fallback: [],
  })

const positionsOf = (owner: string) => positionsAt(personKey(prefix, owner))

export const positionIn = (owner: string, id: string): Place | undefined =>
  positionsOf(owner)
    .read()
    .find((known) => known.id === id)

/** Without a place the position in this text is forgotten. */
export function keepPosition(owner: string, id: string, place: Place | undefined): void {
  // The person may have logged out in another tab, which has removed the positions.
  if (readKey('userId') !== owner && readKey('guestId') !== owner) return
  const stored = positionsOf(owner)
  const all = stored.read()
  const others = all.filter((known) => known.id !== id)
  if (place !== undefined) stored.write([...others, { id, ...place }].slice(-keptMax))
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
