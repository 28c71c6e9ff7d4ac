import type { RoomPassage } from '#contract/rooms/room.ts'
import { formOf, type TextForm } from '#contract/text-form.ts'

/**
 * Adds passages to the known ones, each once, ordered by position. Passages before a gap are dropped: they can be read
 * again.
 */
export function mergePassages(known: readonly RoomPassage[], more: readonly RoomPassage[]): RoomPassage[] {
  const byPosition = new Map([...known, ...more].map((passage) => [passage.position, passage]))
  const passages = [...byPosition.values()].sort((one, other) => one.position - other.position)
  const gap = passages.findLastIndex(({ position }, i) => i > 0 && position !== passages[i - 1]!.position + 1)
  return gap === -1 ? passages : passages.slice(gap)
}

/** Whether no passage is missing between the known ones and this one. */
export const followsWithoutGap = (known: readonly RoomPassage[], { position }: RoomPassage): boolean =>
  position <= (known.at(-1)?.position ?? 0) + 1

/** People whose accounts are deleted have no id: nobody knows whether two of them are the same. */
export const isSameAuthor = (passage: RoomPassage, before: RoomPassage | undefined): boolean =>
  passage.userId !== null && passage.userId === before?.userId && passage.position === before.position + 1

/** Only the first passage of a story may begin with a title: a short first line of another one is a part of the text. */
export const formOfPassage = (text: string, { opensStory }: { opensStory: boolean }): TextForm =>
  opensStory ? formOf(text) : { ...formOf(text), title: null, body: text }

/** The name that a person signs with in this room, once they have written a passage. */
export function nameOf(id: string, passages: readonly RoomPassage[]): string {
  const own = passages.findLast(({ userId }) => userId === id)
  return own?.authorName ?? `User ${id}`
}
