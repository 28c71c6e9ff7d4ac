import { setImmediate } from 'node:timers/promises'
import { contributorsByWords, counted, type Contributor } from '#contract/rooms/story.ts'
import { authorOf, type Room, type RoomMessage } from '#contract/rooms/room.ts'

/** A finished story, as its files tell it. */
export interface Story {
  /** Of its room. */
  id: string
  title: string
  description: string
  endedAt: string
  /** The day of the end, such as 'June 10, 2025'. */
  endedOn: string
  passages: { author: string; content: string }[]
  contributors: Contributor[]
}

type Line = Pick<RoomMessage, 'userId' | 'authorName' | 'content'>

export async function storyOf(
  { id, name, description, expiresAt }: Pick<Room, 'id' | 'name' | 'description' | 'expiresAt'>,
  lines: readonly Line[],
  timeZone: string,
): Promise<Story> {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone })
  return {
    id,
    title: name.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
    description,
    endedAt: expiresAt,
    endedOn: day.format(new Date(expiresAt)),
    passages: lines.map((line) => ({ author: authorOf(line), content: line.content })),
    contributors: contributorsByWords(await countedInParts(lines)),
  }
}

/** Lets other calls be answered in between: words of some scripts take long to find. */
async function countedInParts(lines: readonly Line[]) {
  const all = []
  for (const line of lines) {
    all.push(counted(line))
    if (all.length % 20 === 0) await setImmediate()
  }
  return all
}

/** Stands where a story has no passages. */
export const nothingWritten = 'Nobody wrote a passage.'

/** Such as '1,204 words, 60%'. */
export const contributionOf = ({ words, share }: Contributor): string =>
  `${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'}, ${share}%`
