import { type Contributor, contributorsOf } from '#contract/rooms/story.ts'
import { authorOf, type Room, type RoomPassage } from '#contract/rooms/room.ts'

/** A finished story, as its files contain it. */
export interface Story {
  /** The id of the room. */
  id: string
  title: string
  description: string
  endedAt: string
  /** The day of the end, such as 'June 10, 2025'. */
  endedOn: string
  passages: { author: string; content: string }[]
  contributors: Contributor[]
}

type Written = Pick<RoomPassage, 'userId' | 'authorName' | 'content' | 'isErased'>

export function storyOf(
  { id, name, description, expiresAt }: Pick<Room, 'id' | 'name' | 'description' | 'expiresAt'>,
  passages: readonly Written[],
  timeZone: string,
): Story {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone })
  return {
    id,
    title: titleOf({ name }),
    description,
    endedAt: expiresAt,
    endedOn: day.format(new Date(expiresAt)),
    passages: passages.map((passage) => ({ author: authorOf(passage), content: passage.content })),
    contributors: contributorsOf(passages),
  }
}

export const titleOf = ({ name }: Pick<Room, 'name'>): string => name.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** The text of a story without passages. */
export const nothingWritten = 'Nobody wrote a passage.'

/** Such as '1,204 words, 60%'. */
export const contributionOf = ({ words, share }: Contributor): string =>
  `${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'}, ${share}%`
