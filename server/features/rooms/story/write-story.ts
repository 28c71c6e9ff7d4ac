import type { Room } from '#contract/rooms/room.ts'
import { asEpub } from './epub.ts'
import { asMarkdown } from './markdown.ts'
import { asPlainText } from './plain-text.ts'
import type { StoryPassage } from './story-queries.ts'
import { storyOf } from './story.ts'

const formats = { epub: asEpub, md: asMarkdown, txt: asPlainText }

export type StoryFormat = keyof typeof formats

export interface StoryOrder {
  room: Pick<Room, 'id' | 'name' | 'description' | 'expiresAt'>
  timeZone: string
  format: StoryFormat
}

export function writeStory(
  { room, timeZone, format }: StoryOrder,
  passages: StoryPassage[],
): Uint8Array<ArrayBuffer> {
  const written = formats[format](storyOf(room, passages, timeZone))
  return typeof written === 'string' ? new TextEncoder().encode(written) : written
}
