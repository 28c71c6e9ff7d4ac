import { authorOf, type Room, type RoomPassage } from '#contract/rooms/room.ts'
import type { Contributor } from '#contract/rooms/story.ts'
import { type BookMetadata, oneLine, type SavedText } from '#contract/saving/saved-text.ts'

interface Written {
  passages: readonly Pick<RoomPassage, 'userId' | 'authorName' | 'content'>[]
  contributors: readonly Contributor[]
}

/** A finished story, as its files contain it. An erased passage is the mark in its place. The fingerprint is that of the seal. */
export function savedStory(
  {
    id,
    name,
    description,
    opening,
    expiresAt,
  }: Pick<Room, 'id' | 'name' | 'description' | 'opening' | 'expiresAt'>,
  { passages, contributors }: Written,
  timeZone: string,
  fingerprint: string | null,
): SavedText & { book: BookMetadata } {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone })
  const title = oneLine(name)
  return {
    fileTitle: title,
    title,
    // A room that a device kept from before there were openings has none.
    introduction: opening ? `${description}\n\n“${opening}”` : description,
    note: `${day.format(new Date(expiresAt))}${fingerprint === null ? '' : ` · Seal ${fingerprint}`}`,
    parts:
      passages.length === 0
        ? [{ heading: null, content: nothingWritten }]
        : passages.map((passage, i) => ({
            heading: authorOf(passage),
            content: passage.content,
            // Whether two deleted people are the same is not known.
            isContinued: passage.userId !== null && passage.userId === passages[i - 1]?.userId,
          })),
    contributors: contributors.map((each) => ({ name: each.name, contribution: contributionOf(each) })),
    book: { id: `urn:uuid:${id}`, changedAt: expiresAt, textTitle: 'Story', listsParts: false },
  }
}

export const storyTitle = ({ name }: Pick<Room, 'name'>): string => oneLine(name)

/** The text of a story without passages. */
export const nothingWritten = 'Nobody wrote a passage.'

/** Such as '1,204 words, 60%'. */
const contributionOf = ({ words, share }: Contributor): string =>
  `${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'}, ${share}%`
