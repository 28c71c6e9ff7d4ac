import { getRoomStory } from '#contract/rooms/endpoints.ts'
import type { Config } from '#server/config.ts'
import { Download } from '#server/platform/http/download.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { everyone } from '#server/platform/http/policy.ts'
import { createTurns } from '#server/platform/turns.ts'
import { mayRead } from '../policy.ts'
import { findRoom, sealRoom } from '../queries.ts'
import { asEpub } from './epub.ts'
import { asMarkdown } from './markdown.ts'
import { asPlainText } from './plain-text.ts'
import { storyOf } from './story.ts'
import { listStoryLines } from './story-queries.ts'

const stories: LimitRule = { name: 'stories', count: 60, seconds: 60, by: 'address' }

export function storyRoutes({ config }: { config: Config }): Route[] {
  // The longest story there can be takes seconds and hundreds of megabytes.
  const inTurn = createTurns({ atOnce: 1, maxWaiting: 20 })
  return [
    handle(getRoomStory, everyone, { limits: [stories] }, async ({ db, viewer, params, fail }) => {
      const readerId = viewer.kind === 'visitor' ? null : viewer.id
      const room = (await findRoom(db, readerId, params.id)) ?? fail('RoomNotFound')
      if (!mayRead(room)) fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
      if (room.isActive) fail('RoomStillOpen')
      await sealRoom(db, room.id)
      return inTurn(async () => {
        const story = await storyOf(room, await listStoryLines(db, room.id), config.timeZone)
        const { type, write } = formats[params.format]
        const content = await write(story)
        return new Download({ type, title: story.title, extension: params.format, content })
      })
    }),
  ]
}

const formats = {
  epub: { type: 'application/epub+zip', write: asEpub },
  md: { type: 'text/markdown; charset=utf-8', write: asMarkdown },
  txt: { type: 'text/plain; charset=utf-8', write: asPlainText },
}
