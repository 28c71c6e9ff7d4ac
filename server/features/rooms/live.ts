import * as z from 'zod/mini'
import { liveGapMax } from '#contract/live/events.ts'
import { Id, PersonId } from '#contract/schemas.ts'
import { isDatabaseUnavailable } from '#server/platform/database/unavailable.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { SignedIn, Viewer } from '#server/platform/http/policy.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { bodyOf, placesOf, type Stream } from '#server/platform/live/stream.ts'
import type { Streams } from '#server/platform/live/streams.ts'
import { Channel, placeName, type Reader, writePlace } from './channel.ts'
import {
  listExistingRooms,
  listReadableRooms,
  listReaders,
  listRoomStates,
  type LiveRoom,
} from './live-queries.ts'
import { Presence, PresenceWord } from './presence.ts'

/** Where the calls of rooms tell what happened, once it is on disk. */
export interface RoomsLive {
  /** A passage, a joining or the deletion of the room. */
  changed(roomId: string): void
  writing(roomId: string, userId: string): void
}

const RoomWord = z.union([
  z.object({ kind: z.literal('changed'), roomId: Id }),
  z.object({ kind: z.literal('writing'), roomId: Id, userId: PersonId }),
  PresenceWord,
])
type RoomWord = z.infer<typeof RoomWord>

interface Deps {
  bus: Bus
  database: Database
  streams: Streams
  /** Names this process among all. */
  process: string
  logError: (error: unknown) => void
}

/** What a stream is to carry, as it is found before the stream opens. */
interface Opening {
  rooms: (LiveRoom & { place: number; knowsEnd: boolean })[]
  /** Rooms that the stream had, and that were deleted since. */
  gone: string[]
  /** Nobody knows what the stream has missed. */
  isReset: boolean
  /** Whether others see that this person is here. */
  isShown: boolean
}

interface Listener {
  viewer: Viewer
  readers: Map<Channel, Reader>
  isShown: boolean
}

export type LiveRooms = ReturnType<typeof createLiveRooms>

/** The rooms that streams of this process carry. */
export function createLiveRooms({ bus, database, streams, process, logError }: Deps) {
  const channels = new Map<string, Channel>()
  const listeners = new Map<Stream, Listener>()
  let looks = 0
  const publish = (word: RoomWord) => bus.publish(word)
  const presence = new Presence({ process, publish, now: () => streams.now() })
  const fail = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) logError(error)
  }
  const stopListening = bus.subscribe((word) => {
    const { success, data } = z.safeParse(RoomWord, word)
    if (success) hear(data)
  })
  streams.everySecond('look at live rooms', look)

  const live: RoomsLive = {
    changed: (roomId) => publish({ kind: 'changed', roomId }),
    writing: (roomId, userId) => void tellWriting(roomId, userId).catch(fail),
  }
  return { live, find, join, leave, stop: stopListening }

  /** The rooms that a viewer may read, and how far the stream with the id `after` had come in them. */
  async function find(viewer: Viewer, asked: string[], after: string | undefined): Promise<Opening> {
    const readerId = viewer.kind === 'visitor' ? null : viewer.id
    const known = after === undefined ? undefined : placesOf(after)
    const missed = asked.filter((id) => known?.has(placeName(id)))
    const found = asked.length === 0 ? [] : await listReadableRooms(database, readerId, asked)
    const readable = asked.flatMap((id) => found.find((room) => room.id === id) ?? [])
    const existing = missed.length === 0 ? [] : await listExistingRooms(database, missed)
    const places = readable.map((room) => ({ ...room, ...readPlace(known?.get(placeName(room.id)), room) }))
    const gap = places.reduce((sum, { lastEvent, place }) => sum + lastEvent - place, 0)
    const isReset = after !== undefined && (known === undefined || !(gap <= liveGapMax))
    return {
      rooms:
        after === undefined || isReset
          ? readable.map((room) => ({ ...room, place: room.lastEvent, knowsEnd: false }))
          : places,
      gone: missed.filter((id) => !existing.includes(id)),
      isReset,
      isShown: isRegistered(viewer) && (await isShown(viewer.id)),
    }
  }

  /** Gives a stream that has just opened what it has missed, then what comes. */
  async function join(stream: Stream, { rooms, gone, isReset, isShown }: Opening): Promise<void> {
    const { viewer } = stream
    const listener: Listener = { viewer, readers: new Map(), isShown }
    listeners.set(stream, listener)
    for (const room of rooms) {
      const channel = channels.get(room.id) ?? carry(room)
      const reader = { stream, place: room.place, knowsEnd: room.knowsEnd, count: undefined }
      channel.readers.add(reader)
      listener.readers.set(channel, reader)
      if (isShown) show(channel, viewer)
      if (!isReset) writePlace(reader, room.id)
    }
    // Should the stream break before the reset, its id must ask for it again: it names no place.
    stream.send(bodyOf('ready', { rooms: rooms.map(({ id }) => id) }))
    if (isReset) {
      for (const [channel, reader] of listener.readers) writePlace(reader, channel.id)
      stream.send(bodyOf('reset', {}))
    }
    for (const roomId of gone) stream.send(bodyOf('room.deleted', { roomId }))
    for (const [channel, reader] of listener.readers) {
      reader.count = presence.count(channel.id)
      stream.send(channel.countBody(reader.count))
    }
    for (const [channel, reader] of listener.readers) {
      await channel.join(reader, rooms.find(({ id }) => id === channel.id)?.lastEvent)
    }
  }

  function leave(stream: Stream): void {
    const readers = listeners.get(stream)?.readers ?? []
    for (const [channel, reader] of readers) channel.leave(reader)
    listeners.delete(stream)
  }

  function carry(room: LiveRoom): Channel {
    const channel = new Channel(room, { database, onLeave: drop, onFailure: fail })
    channels.set(room.id, channel)
    presence.carry(room.id)
    // What was told of it before it was carried here has not been heard.
    queueMicrotask(() => channel.wake())
    return channel
  }

  function drop(channel: Channel, { stream }: Reader) {
    const listener = listeners.get(stream)
    if (listener?.isShown) hide(channel, stream.viewer)
    listener?.readers.delete(channel)
    if (channel.readers.size > 0) return
    channels.delete(channel.id)
    presence.drop(channel.id)
  }

  function hear(word: RoomWord) {
    const channel = channels.get(word.roomId)
    if (channel === undefined) return
    if (word.kind === 'changed') channel.wake()
    else if (word.kind === 'writing') {
      const { roomId, userId } = word
      channel.tell(bodyOf('room.writing', { roomId, userId })).catch(fail)
    } else presence.hear(word)
  }

  async function tellWriting(roomId: string, userId: string) {
    if (await isShown(userId)) publish({ kind: 'writing', roomId, userId })
  }

  async function isShown(personId: string): Promise<boolean> {
    const [reader] = await listReaders(database, [personId], [])
    return reader?.presence ?? false
  }

  /** Finds what no word has told: lost rights and memberships, ended rooms, missed events. */
  async function look() {
    presence.look()
    for (const channel of channels.values()) channel.tellCount(presence.count(channel.id)).catch(fail)
    await lookAtReaders()
    await lookAtRooms()
  }

  /** Who is not shown yet, and a part of the others: their rights are also asked for at each event. */
  async function lookAtReaders() {
    looks++
    const signedIn = [...listeners.values()].flatMap((listener, number) =>
      listener.viewer.kind === 'visitor' || (listener.isShown && number % readerLooks !== looks % readerLooks)
        ? []
        : [{ listener, id: listener.viewer.id }],
    )
    if (signedIn.length === 0) return
    const closed = [...channels.values()].filter(({ isPublic }) => !isPublic).map(({ id }) => id)
    const found = await listReaders(database, [...new Set(signedIn.map(({ id }) => id))], closed)
    const people = new Map(found.map((person) => [person.id, person]))
    for (const { listener, id } of signedIn) {
      const { presence: isSeen = false, memberOf = [] } = people.get(id) ?? {}
      setShown(listener, isSeen)
      for (const [channel, reader] of listener.readers) {
        if (!channel.isPublic && !memberOf.includes(channel.id)) channel.leave(reader)
      }
    }
  }

  async function lookAtRooms() {
    const carried = [...channels.values()]
    if (carried.length === 0) return
    const ids = carried.map(({ id }) => id)
    const states = new Map((await listRoomStates(database, ids)).map((state) => [state.id, state]))
    for (const channel of carried) {
      const state = states.get(channel.id)
      if (state === undefined || channel.isBehind(state)) channel.wake()
    }
  }

  function setShown(listener: Listener, isSeen: boolean) {
    if (!isRegistered(listener.viewer) || listener.isShown === isSeen) return
    listener.isShown = isSeen
    for (const channel of listener.readers.keys()) (isSeen ? show : hide)(channel, listener.viewer)
  }

  function show(channel: Channel, viewer: Viewer) {
    if (viewer.kind !== 'visitor') presence.come(channel.id, viewer.id)
  }

  function hide(channel: Channel, viewer: Viewer) {
    if (viewer.kind !== 'visitor') presence.go(channel.id, viewer.id)
  }
}

/** Seconds in which every reader is looked at. */
const readerLooks = 5

const isRegistered = (viewer: Viewer): viewer is SignedIn<'user' | 'admin'> =>
  viewer.kind === 'user' || viewer.kind === 'admin'

/** How far a stream had come in a room; its place is not a number when that cannot be known. */
function readPlace(place: string | undefined, { lastEvent }: LiveRoom) {
  const [, digits, end] = /^([0-9a-z]{1,6})(~?)$/.exec(place ?? '') ?? []
  const number = digits === undefined ? Number.NaN : Number.parseInt(digits, 36)
  return { place: number <= lastEvent ? number : Number.NaN, knowsEnd: end === '~' }
}
