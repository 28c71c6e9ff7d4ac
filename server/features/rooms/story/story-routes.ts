import { getRoomStory, listOwnStories, ownStoriesMax, storyTypes } from '#contract/rooms/endpoints.ts'
import { fromBase64url } from '#contract/rooms/credit/base64url.ts'
import { getRoomSeal, getSealFingerprint, proofType } from '#contract/rooms/credit/endpoints.ts'
import { fingerprintOf } from '#contract/rooms/credit/formulas.ts'
import type { Room } from '#contract/rooms/room.ts'
import { storyTitle } from '#contract/rooms/saved-story.ts'
import type { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import { Download } from '#server/platform/http/answers/download.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { idOf } from '#server/platform/http/endpoints/policy.ts'
import { readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { Prepared } from '#server/platform/http/answers/prepared.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { roomReaders, roomWriters } from '../policies.ts'
import { findSeal, type FoundSeal, type SealDeps } from '../credit/seals.ts'
import { mayRead } from '../policy.ts'
import { findRoom, listWrittenRooms, waitForLastPassages } from '../queries.ts'
import { shortStoryBytes, StoryMaker } from './story-file.ts'
import { findStoryState, listStoryPassages } from './story-queries.ts'
import type { StoryFormat } from './write-story.ts'

const stories: LimitRule = { name: 'stories', count: 60, seconds: 60, by: 'address' }
const fingerprints: LimitRule = { name: 'fingerprints', count: 300, seconds: 60, by: 'address' }
const ownStories: LimitRule = { name: 'own-stories', count: 60, seconds: 60, by: 'person' }

type Caller = Pick<Call, 'db' | 'log'>
type Reading = Pick<Call<typeof getRoomStory>, 'db' | 'viewer' | 'fail'> & { params: { id: string } }

interface Story {
  room: Room
  seal: FoundSeal
}

export function storyRoutes({ config, vault, answers }: SealDeps & { answers: AnswerCache }): Route[] {
  const files = answers.of('story file', { maxAgeMs: Infinity })
  // The longest story takes seconds and hundreds of megabytes. A short one does not wait for a long one (S58).
  const makeShort = createSemaphore({ atOnce: 1, maxWaiting: 20 })
  const makeLong = createSemaphore({ atOnce: 1, maxWaiting: 20 })

  /** A finished story that the caller may read, with its seal. */
  async function storyOf(call: Reading): Promise<Story> {
    const { db, viewer, params, fail } = call
    const room = (await findRoom(db, idOf(viewer), params.id)) ?? fail('RoomNotFound')
    if (!mayRead(room)) fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
    if (room.isActive) fail('RoomStillOpen')
    await waitForLastPassages(db, room.id)
    return { room, seal: await findSeal(db, { config, vault }, room.id) }
  }

  /** A file of a finished story. It is cached until its version changes. */
  async function fileOf(call: Caller, { room, seal }: Story, format: StoryFormat): Promise<Prepared> {
    const { version: ofStory, bytes } = await findStoryState(call.db, room.id)
    const version = versionOf(ofStory, seal)
    const key = `${room.id} ${format}`
    const withPermit = bytes > shortStoryBytes ? makeLong : makeShort
    const { prepared } = await files.get(key, version, async () => {
      const made = await withPermit(() => make(call, { room, seal }, format), { size: bytes })
      // A name may have changed while this file waited: it is sent, and not cached as an earlier version.
      return { prepared: made, ...(made.etag !== version && { maxAgeMs: 0 }) }
    })
    return prepared
  }

  async function make({ db, log }: Caller, { room, seal }: Story, format: StoryFormat): Promise<Prepared> {
    const { id, name, description, opening, expiresAt } = room
    const maker = new StoryMaker(
      {
        room: { id, name, description, opening, expiresAt },
        timeZone: config.timeZone,
        format,
        sealed: 'refusal' in seal ? null : seal,
      },
      (reason) => log.error({ reason }, 'the file of a story could not be made'),
    )
    try {
      // One snapshot, so that the version belongs to the names in the file.
      const version = await db.transaction(
        async (tx) => {
          for await (const passages of listStoryPassages(tx, room.id)) await maker.add(passages)
          return versionOf((await findStoryState(tx, room.id)).version, seal)
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
    handle(listOwnStories, roomWriters, { limits: [ownStories] }, async ({ db, viewer, query }) => {
      const { limit = ownStoriesMax } = query
      const page = { limit: limit + 1, before: readTimeCursor(query.before) }
      return sliceOf(await listWrittenRooms(db, viewer.id, page), limit, timeCursorOf)
    }),

    handle(getRoomStory, roomReaders, { limits: [stories] }, async (call) => {
      const story = await storyOf(call)
      const { format } = call.params
      const file = await fileOf(call, story, format)
      return new Download({
        type: storyTypes[format],
        title: storyTitle(story.room),
        plainName: 'story',
        extension: format,
        content: await file.in('plain'),
      })
    }),

    handle(getRoomSeal, roomReaders, { limits: [stories] }, async (call) => {
      const story = await storyOf(call)
      if ('refusal' in story.seal) return call.fail(story.seal.refusal)
      const file = await fileOf(call, story, 'seal')
      return new Download({
        type: proofType,
        title: `${storyTitle(story.room)} seal`,
        plainName: 'seal',
        extension: 'json',
        content: await file.in('plain'),
      })
    }),

    handle(getSealFingerprint, roomReaders, { limits: [fingerprints] }, async (call) => {
      const { seal } = await storyOf(call)
      if (!('refusal' in seal)) return { fingerprint: fingerprintOf(fromBase64url(seal.facts.seal)!) }
      return seal.refusal === 'NoProof' ? { fingerprint: null } : call.fail(seal.refusal)
    }),
  ]
}

/** A file without a seal is out of date once there is one. */
const versionOf = (ofStory: string, seal: FoundSeal) =>
  'refusal' in seal ? `${ofStory} ${seal.refusal}` : ofStory
