import { getRoomStory, storyTypes } from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Download } from '#server/platform/http/download.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { everyone } from '#server/platform/http/policy.ts'
import type { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { Prepared } from '#server/platform/http/prepared.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { mayRead } from '../policy.ts'
import { findRoom, waitForLastPassages } from '../queries.ts'
import { StoryMaker } from './story-file.ts'
import { findStoryState, listStoryPassages } from './story-queries.ts'
import { titleOf } from './story.ts'
import type { StoryFormat } from './write-story.ts'

const stories: LimitRule = { name: 'stories', count: 60, seconds: 60, by: 'address' }

export function storyRoutes({ config, answers }: { config: Config; answers: PreparedAnswers }): Route[] {
  const files = answers.of<{ prepared: Prepared }>('story')
  const making = new Map<string, Promise<Prepared>>()
  // The longest story there can be takes seconds and hundreds of megabytes. Short ones do not wait for the long ones (S58).
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 20 })

  /** The file of a finished story. It is kept until an author deletes the account or changes the signature. */
  async function fileOf(db: Db, room: Room, format: StoryFormat): Promise<Prepared> {
    const { version, bytes } = await findStoryState(db, room.id)
    const key = `${room.id} ${format}`
    const kept = files.get(key)
    if (kept?.prepared.etag === version) return kept.prepared
    // Callers that request a file while it is made wait for it.
    const order = `${key} ${version}`
    const running = making.get(order)
    if (running !== undefined) return running
    const made = withPermit(() => make(db, room, format), undefined, bytes).finally(() =>
      making.delete(order),
    )
    making.set(order, made)
    const prepared = await made
    files.keep(key, { prepared })
    return prepared
  }

  async function make(db: Db, room: Room, format: StoryFormat): Promise<Prepared> {
    const maker = new StoryMaker()
    try {
      // One snapshot, so that the version belongs to the names in the file.
      const version = await db.transaction(
        async (tx) => {
          for await (const passages of listStoryPassages(tx, room.id)) maker.add(passages)
          return (await findStoryState(tx, room.id)).version
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      )
      const { id, name, description, expiresAt } = room
      const file = await maker.make({
        room: { id, name, description, expiresAt },
        timeZone: config.timeZone,
        format,
      })
      return new Prepared(Buffer.from(file.buffer, file.byteOffset, file.length), version)
    } finally {
      await maker.end()
    }
  }

  return [
    handle(getRoomStory, everyone, { limits: [stories] }, async ({ db, viewer, params, fail }) => {
      const readerId = viewer.kind === 'visitor' ? null : viewer.id
      const room = (await findRoom(db, readerId, params.id)) ?? fail('RoomNotFound')
      if (!mayRead(room)) fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
      if (room.isActive) fail('RoomStillOpen')
      await waitForLastPassages(db, room.id)
      const { format } = params
      const file = await fileOf(db, room, format)
      return new Download({
        type: storyTypes[format],
        title: titleOf(room),
        plainName: 'story',
        extension: format,
        content: await file.in('plain'),
      })
    }),
  ]
}
