import * as z from 'zod/mini'
import { liveGapMax } from '#contract/live/events.ts'
import { Id, PersonId } from '#contract/schemas.ts'
import { isDatabaseUnavailable } from '#server/platform/database/unavailable.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { SignedIn, Viewer } from '#server/platform/http/policy.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { bodyOf, cursorsOf, type Stream } from '#server/platform/live/stream.ts'
import type { Streams } from '#server/platform/live/streams.ts'
import { Channel, cursorName, type Reader, storeCursor } from './channel.ts'
import {
  listExistingRooms,
  listReadableRooms,
  listReaders,
  listRoomStates,
  type LiveRoom,
} from './live-queries.ts'
import { Presence, PresenceMessage } from './presence.ts'

/** The handlers of rooms call this after a change was committed. */
export interface RoomsLive {
  /** A passage, a joining or the deletion of the room. */
  changed(roomId: string): void
  writing(roomId: string, userId: string): void
}

const RoomBusMessage = z.union([
  z.object({ kind: z.literal('changed'), roomId: Id }),
  z.object({ kind: z.literal('writing'), roomId: Id, userId: PersonId }),
  PresenceMessage,
])
type RoomBusMessage = z.infer<typeof RoomBusMessage>

interface Deps {
  bus: Bus
  database: Database
  streams: Streams
  /** The id of this process. */
  process: string
  logError: (error: unknown) => void
}

/** What a stream will subscribe to, read before it opens. */
interface Opening {
  rooms: (LiveRoom & { cursor: number; knowsEnd: boolean })[]
  /** Rooms of the stream that were deleted meanwhile. */
  deleted: string[]
  /** The stream has missed too much, or its cursor is not valid: the browser has to fetch everything. */
  isReset: boolean
  /** Whether others may see that this person is in the room. */
  isShown: boolean
}

interface Subscriber {
  viewer: Viewer
  readers: Map<Channel, Reader>
  isShown: boolean
}

export type LiveRooms = ReturnType<typeof createLiveRooms>

/** The rooms to which streams of this process are subscribed. */
export function createLiveRooms({ bus, database, streams, process, logError }: Deps) {
  const channels = new Map<string, Channel>()
  const subscribers = new Map<Stream, Subscriber>()
  let polls = 0
  const publish = (message: RoomBusMessage) => bus.publish(message)
  const presence = new Presence({ process, publish, now: () => streams.now() })
  const fail = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) logError(error)
  }
  const unsubscribe = bus.subscribe((message) => {
    const { success, data } = z.safeParse(RoomBusMessage, message)
    if (success) receive(data)
  })
  streams.everySecond('poll of live rooms', poll)

  const live: RoomsLive = {
    changed: (roomId) => publish({ kind: 'changed', roomId }),
    writing: (roomId, userId) => void publishWriting(roomId, userId).catch(fail),
  }
  return { live, find, join, leave, stop: unsubscribe }

  /** The rooms that a viewer may read, with the cursors in the event id `after`. */
  async function find(viewer: Viewer, requested: string[], after: string | undefined): Promise<Opening> {
    const readerId = viewer.kind === 'visitor' ? null : viewer.id
    const known = after === undefined ? undefined : cursorsOf(after)
    const resumed = requested.filter((id) => known?.has(cursorName(id)))
    const found = requested.length === 0 ? [] : await listReadableRooms(database, readerId, requested)
    const readable = requested.flatMap((id) => found.find((room) => room.id === id) ?? [])
    const existing = resumed.length === 0 ? [] : await listExistingRooms(database, resumed)
    const withCursors = readable.map((room) => ({
      ...room,
      ...readCursor(known?.get(cursorName(room.id)), room),
    }))
    const gap = withCursors.reduce((sum, { lastEvent, cursor }) => sum + lastEvent - cursor, 0)
    // A cursor that is not valid makes the gap NaN, which is no number up to the maximum.
    const isReset = after !== undefined && (known === undefined || !(gap <= liveGapMax))
    return {
      rooms:
        after === undefined || isReset
          ? readable.map((room) => ({ ...room, cursor: room.lastEvent, knowsEnd: false }))
          : withCursors,
      deleted: resumed.filter((id) => !existing.includes(id)),
      isReset,
      isShown: isRegistered(viewer) && (await isShown(viewer.id)),
    }
  }

  /** Subscribes a stream that has just opened: it gets the events it has missed, then each new one. */
  async function join(stream: Stream, { rooms, deleted, isReset, isShown }: Opening): Promise<void> {
    const { viewer } = stream
    const subscriber: Subscriber = { viewer, readers: new Map(), isShown }
    subscribers.set(stream, subscriber)
    for (const room of rooms) {
      const channel = channels.get(room.id) ?? addChannel(room)
      const reader = { stream, cursor: room.cursor, knowsEnd: room.knowsEnd, count: undefined }
      channel.readers.add(reader)
      subscriber.readers.set(channel, reader)
      if (isShown) show(channel, viewer)
      if (!isReset) storeCursor(reader, room.id)
    }
    // Before a reset the id of `ready` has no cursors: a stream that breaks in between gets the reset again.
    stream.send(bodyOf('ready', { rooms: rooms.map(({ id }) => id) }))
    if (isReset) {
      for (const [channel, reader] of subscriber.readers) storeCursor(reader, channel.id)
      stream.send(bodyOf('reset', {}))
    }
    for (const roomId of deleted) stream.send(bodyOf('room.deleted', { roomId }))
    for (const [channel, reader] of subscriber.readers) {
      reader.count = presence.count(channel.id)
      stream.send(channel.countBody(reader.count))
    }
    for (const [channel, reader] of subscriber.readers) {
      await channel.join(reader, rooms.find(({ id }) => id === channel.id)?.lastEvent)
    }
  }

  function leave(stream: Stream): void {
    const readers = subscribers.get(stream)?.readers ?? []
    for (const [channel, reader] of readers) channel.leave(reader)
    subscribers.delete(stream)
  }

  function addChannel(room: LiveRoom): Channel {
    const channel = new Channel(room, { database, onLeave: removeReader, onFailure: fail })
    channels.set(room.id, channel)
    presence.addRoom(room.id)
    // A bus message that came before the channel existed was not received.
    queueMicrotask(() => channel.poll())
    return channel
  }

  function removeReader(channel: Channel, { stream }: Reader) {
    const subscriber = subscribers.get(stream)
    if (subscriber?.isShown) hide(channel, stream.viewer)
    subscriber?.readers.delete(channel)
    if (channel.readers.size > 0) return
    channels.delete(channel.id)
    presence.removeRoom(channel.id)
  }

  function receive(message: RoomBusMessage) {
    const channel = channels.get(message.roomId)
    if (channel === undefined) return
    if (message.kind === 'changed') channel.poll()
    else if (message.kind === 'writing') {
      const { roomId, userId } = message
      channel.send(bodyOf('room.writing', { roomId, userId })).catch(fail)
    } else presence.receive(message)
  }

  async function publishWriting(roomId: string, userId: string) {
    if (await isShown(userId)) publish({ kind: 'writing', roomId, userId })
  }

  async function isShown(personId: string): Promise<boolean> {
    const [reader] = await listReaders(database, [personId], [])
    return reader?.presence ?? false
  }

  /** Finds what no bus message announces: lost rights and memberships, ended rooms, and events whose message was lost. */
  async function poll() {
    presence.poll()
    for (const channel of channels.values()) channel.sendCount(presence.count(channel.id)).catch(fail)
    await pollReaders()
    await pollRooms()
  }

  /** Reads the rights of all people who are not shown, and of a fifth of the others: those are also read at each event. */
  async function pollReaders() {
    polls++
    const signedIn = [...subscribers.values()].flatMap((subscriber, number) =>
      subscriber.viewer.kind === 'visitor' ||
      (subscriber.isShown && number % readerPolls !== polls % readerPolls)
        ? []
        : [{ subscriber, id: subscriber.viewer.id }],
    )
    if (signedIn.length === 0) return
    const privateRooms = [...channels.values()].filter(({ isPublic }) => !isPublic).map(({ id }) => id)
    const found = await listReaders(database, [...new Set(signedIn.map(({ id }) => id))], privateRooms)
    const people = new Map(found.map((person) => [person.id, person]))
    for (const { subscriber, id } of signedIn) {
      const { presence: isSeen = false, memberOf = [] } = people.get(id) ?? {}
      setShown(subscriber, isSeen)
      for (const [channel, reader] of subscriber.readers) {
        if (!channel.isPublic && !memberOf.includes(channel.id)) channel.leave(reader)
      }
    }
  }

  async function pollRooms() {
    const all = [...channels.values()]
    if (all.length === 0) return
    const ids = all.map(({ id }) => id)
    const states = new Map((await listRoomStates(database, ids)).map((state) => [state.id, state]))
    for (const channel of all) {
      const state = states.get(channel.id)
      if (state === undefined || channel.isBehind(state)) channel.poll()
    }
  }

  function setShown(subscriber: Subscriber, isSeen: boolean) {
    if (!isRegistered(subscriber.viewer) || subscriber.isShown === isSeen) return
    subscriber.isShown = isSeen
    for (const channel of subscriber.readers.keys()) (isSeen ? show : hide)(channel, subscriber.viewer)
  }

  function show(channel: Channel, viewer: Viewer) {
    if (viewer.kind !== 'visitor') presence.enter(channel.id, viewer.id)
  }

  function hide(channel: Channel, viewer: Viewer) {
    if (viewer.kind !== 'visitor') presence.leave(channel.id, viewer.id)
  }
}

/** Seconds in which each reader is polled once. */
const readerPolls = 5

const isRegistered = (viewer: Viewer): viewer is SignedIn<'user' | 'admin'> =>
  viewer.kind === 'user' || viewer.kind === 'admin'

/** The cursor of a stream in a room; NaN when it is not valid. */
function readCursor(text: string | undefined, { lastEvent }: LiveRoom) {
  const [, digits, end] = /^([0-9a-z]{1,6})(~?)$/.exec(text ?? '') ?? []
  const number = digits === undefined ? Number.NaN : Number.parseInt(digits, 36)
  return { cursor: number <= lastEvent ? number : Number.NaN, knowsEnd: end === '~' }
}
