import type { Room } from '#contract/rooms/room.ts'
import { savedStory } from '#contract/rooms/saved-story.ts'
import { contributorsOf } from '#contract/rooms/story.ts'
import { asMarkdown } from '#contract/saving/markdown.ts'
import { asPlainText } from '#contract/saving/plain-text.ts'
import { asEpub } from '#contract/saving/epub.ts'
import type { StoryPassage } from './story-queries.ts'

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
  const contributors = contributorsOf(passages)
  const written = formats[format](savedStory(room, { passages, contributors }, timeZone))
  return typeof written === 'string' ? new TextEncoder().encode(written) : written
}
