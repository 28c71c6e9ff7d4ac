import type { RoomPassage } from '#contract/rooms/room.ts'

/**
 * What is known of a story and what was read or heard of it, each passage once, by position. What was known before a
 * gap goes: it can be read anew.
 */
export function joined(known: readonly RoomPassage[], more: readonly RoomPassage[]): RoomPassage[] {
  const byPosition = new Map([...known, ...more].map((passage) => [passage.position, passage]))
  const passages = [...byPosition.values()].sort((one, other) => one.position - other.position)
  const gap = passages.findLastIndex(({ position }, i) => i > 0 && position !== passages[i - 1]!.position + 1)
  return gap === -1 ? passages : passages.slice(gap)
}

/** Whether a passage goes on where the story stands, so that nothing is missing between them. */
export const continues = (known: readonly RoomPassage[], { position }: RoomPassage): boolean =>
  position <= (known.at(-1)?.position ?? 0) + 1
