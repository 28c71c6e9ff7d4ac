import { getRoomStory, listOwnStories, ownStoriesMax, storyTypes } from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import { storyTitle } from '#contract/rooms/saved-story.ts'
import type { Config } from '#server/config.ts'
import type { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import { Download } from '#server/platform/http/answers/download.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { everyone, idOf, people, withScope } from '#server/platform/http/endpoints/policy.ts'
import { readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { Prepared } from '#server/platform/http/answers/prepared.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { mayRead } from '../policy.ts'
import { findRoom, listWrittenRooms, waitForLastPassages } from '../queries.ts'
import { shortStoryBytes, StoryMaker } from './story-file.ts'
import { findStoryState, listStoryPassages } from './story-queries.ts'
import type { StoryFormat } from './write-story.ts'

const stories: LimitRule = { name: 'stories', count: 60, seconds: 60, by: 'address' }
const ownStories: LimitRule = { name: 'own-stories', count: 60, seconds: 60, by: 'person' }

type Caller = Pick<Call, 'db' | 'log'>

export function storyRoutes({ config, answers }: { config: Config; answers: AnswerCache }): Route[] {
  const files = answers.of('story file', { maxAgeMs: Infinity })
  // The longest story takes seconds and hundreds of megabytes. A short one does not wait for a long one (S58).
  const makeShort = createSemaphore({ atOnce: 1, maxWaiting: 20 })
  const makeLong = createSemaphore({ atOnce: 1, maxWaiting: 20 })

  /** The file of a finished story. It is cached until its version changes. */
  async function fileOf(call: Caller, room: Room, format: StoryFormat): Promise<Prepared> {
    const { version, bytes } = await findStoryState(call.db, room.id)
    const key = `${room.id} ${format}`
    const withPermit = bytes > shortStoryBytes ? makeLong : makeShort
    const { prepared } = await files.get(key, version, async () => {
      const made = await withPermit(() => make(call, room, format), { size: bytes })
      // A name may have changed while this file waited: it is sent, and not cached as an earlier version.
      return { prepared: made, ...(made.etag !== version && { maxAgeMs: 0 }) }
    })
    return prepared
  }

  async function make({ db, log }: Caller, room: Room, format: StoryFormat): Promise<Prepared> {
    const { id, name, description, expiresAt } = room
    const maker = new StoryMaker(
      { room: { id, name, description, expiresAt }, timeZone: config.timeZone, format },
      (reason) => log.error({ reason }, 'the file of a story could not be made'),
    )
    try {
      // One snapshot, so that the version belongs to the names in the file.
      const version = await db.transaction(
        async (tx) => {
          for await (const passages of listStoryPassages(tx, room.id)) await maker.add(passages)
          return (await findStoryState(tx, room.id)).version
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      )
      const file = await maker.make()
      return new Prepared(Buffer.from(file.buffer, file.byteOffset, file.length), version)
    } finally {
      maker.end()
    }
  }

  return [
    handle(
      listOwnStories,
      withScope('rooms', people),
      { limits: [ownStories] },
      async ({ db, viewer, query }) => {
        const { limit = ownStoriesMax } = query
        const page = { limit: limit + 1, before: readTimeCursor(query.before) }
        return sliceOf(await listWrittenRooms(db, viewer.id, page), limit, timeCursorOf)
      },
    ),

    handle(getRoomStory, withScope('rooms', everyone), { limits: [stories] }, async (call) => {
      const { db, viewer, params, fail } = call
      const room = (await findRoom(db, idOf(viewer), params.id)) ?? fail('RoomNotFound')
      if (!mayRead(room)) fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
      if (room.isActive) fail('RoomStillOpen')
      await waitForLastPassages(db, room.id)
      const { format } = params
      const file = await fileOf(call, room, format)
      return new Download({
        type: storyTypes[format],
        title: storyTitle(room),
        plainName: 'story',
        extension: format,
        content: await file.in('plain'),
      })
    }),
  ]
}
