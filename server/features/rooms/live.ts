import * as z from 'zod/mini'
import type { RoomEvents } from '#contract/rooms/live.ts'
import { Id, PersonId } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import type { Inboxes } from '#server/features/inbox/index.ts'
import type { RoomTurn } from '#contract/rooms/table/table.ts'
import { idOf } from '#server/platform/http/endpoints/policy.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { Presence, type PresenceMessage } from '#server/platform/live/presence.ts'
import { bodyOf, type Stream } from '#server/platform/live/stream.ts'
import type { Streams } from '#server/platform/live/streams.ts'
import type { TopicSource } from '#server/platform/live/topic-source.ts'
import type { Topics } from '#server/platform/live/topics.ts'
import { listPeopleWhoShowPresence, listReadableRooms, type ReadableRoom } from './live-queries.ts'
import { RoomNews } from './room-news.ts'
import { RoomPresence } from './room-presence.ts'
import { roomSource } from './room-source.ts'
import { RoomTurns } from './table/room-turns.ts'

/** The turn is undefined for a free room. */
type RoomWithTurn = ReadableRoom & { turn: RoomTurn | undefined }

/** The handlers of rooms call this after a change was committed. */
export interface RoomNotifier {
  /** After an event of the room, or its deletion. */
  changed(roomId: string): void
  writing(roomId: string, userId: string): void
  /** After a change of the table that readers can see. */
  turned(roomId: string): void
  /** After somebody at a table has said something beside the story, or an admin has erased it. */
  asidesChanged(roomId: string): void
  /** After a head was signed. */
  head(head: RoomEvents['room.head']): void
}

const roomId = { roomId: Id }
const people = { process: z.string(), people: z.array(PersonId) }

/** The format between processes. It must not change: processes of two versions may run at the same time. */
const RoomBusMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), ...roomId }),
  z.object({ kind: z.literal('writing'), ...roomId, userId: PersonId }),
  z.object({ kind: z.literal('turn'), ...roomId }),
  z.object({ kind: z.literal('aside'), ...roomId }),
  z.object({
    kind: z.literal('head'),
    ...roomId,
    position: z.int(),
    link: z.string(),
    signature: z.string(),
    key: z.string(),
  }),
  z.object({ kind: z.literal('here'), ...roomId, ...people }),
  z.object({ kind: z.literal('gone'), ...roomId, ...people }),
  z.object({ kind: z.literal('who'), ...roomId, process: z.string() }),
])
type RoomBusMessage = z.infer<typeof RoomBusMessage>

export interface Deps extends Pick<Needs, 'clock' | 'database'> {
  bus: Bus
  inboxes: Inboxes
  streams: Streams
  topics: Topics
  /** The id of this process. */
  process: string
}

/** Brings the rooms to the live stream: adds their topics and connects them with the bus. */
export function addRoomTopics({
  bus,
  clock,
  database,
  inboxes,
  streams,
  topics,
  process,
}: Deps): RoomNotifier {
  const { onFailure } = topics
  const publish = (message: RoomBusMessage) => bus.publish(message)
  const presence = new Presence({
    process,
    clock,
    publish: ({ topic, ...message }) => publish({ ...message, roomId: topic }),
  })
  const people = new RoomPresence({ database, presence })
  const news = new RoomNews({ database, inboxes })
  const turns = new RoomTurns(database)
  const source: TopicSource<RoomWithTurn> = {
    ...roomSource(database),
    listReadable: async (viewer, ids) => {
      const readable = await listReadableRooms(database, idOf(viewer), ids)
      return Promise.all(
        readable.map(async (room) => ({
          ...room,
          turn: room.hasTurns ? await turns.find(room.id) : undefined,
        })),
      )
    },
    onOpen: (id) => presence.addTopic(id),
    onClose: (id) => presence.removeTopic(id),
    onSubscribe: (stream, room) => {
      people.subscribe(stream, room)
      if (room.turn !== undefined) turns.subscribe(stream, room.turn)
    },
    onUnsubscribe: (stream, id) => {
      people.unsubscribe(stream, id)
      turns.unsubscribe(stream, id)
    },
    firstBodies: (stream, id) => [people.firstBody(stream, id), ...turns.firstBodies(stream, id)],
  }
  const rooms = topics.add(source)
  bus.subscribe((message) => {
    const { success, data } = z.safeParse(RoomBusMessage, message)
    if (success) receive(data)
  })
  streams.everySecond('poll of presence in rooms', async () => {
    presence.poll()
    for (const room of rooms.all()) people.sendCount(room).catch(onFailure)
    await people.pollSettings()
  })
  streams.everySecond('poll of turns in rooms', () => turns.poll(rooms.all()))
  streams.everySecond('news of rooms', () => news.send())
  return {
    changed: (id) => publish({ kind: 'changed', roomId: id }),
    writing: (id, userId) => void publishWriting(id, userId).catch(onFailure),
    turned: (id) => publish({ kind: 'turn', roomId: id }),
    asidesChanged: (id) => publish({ kind: 'aside', roomId: id }),
    head: (head) => publish({ kind: 'head', ...head }),
  }

  function receive(message: RoomBusMessage) {
    if (message.kind === 'changed') news.add(message.roomId)
    const room = rooms.get(message.roomId)
    if (room === undefined) return
    if (message.kind === 'changed') return room.poll()
    if (message.kind === 'turn') return void turns.refresh(room).catch(onFailure)
    if (message.kind === 'aside') {
      const isSeated = (stream: Stream) => turns.isSeated(stream, room.id)
      return void room.send(bodyOf('room.aside', { roomId: room.id }), isSeated).catch(onFailure)
    }
    if (message.kind === 'head') {
      const { kind: _kind, ...head } = message
      return void room.send(bodyOf('room.head', head)).catch(onFailure)
    }
    if (message.kind !== 'writing') return presence.receive(presenceMessageOf(message))
    room.send(bodyOf('room.writing', { roomId: room.id, userId: message.userId })).catch(onFailure)
  }

  async function publishWriting(id: string, userId: string) {
    const shown = await listPeopleWhoShowPresence(database, [userId])
    if (shown.length > 0) publish({ kind: 'writing', roomId: id, userId })
  }
}

type RoomPresenceMessage = Extract<RoomBusMessage, { process: string }>

const presenceMessageOf = ({ roomId: topic, ...message }: RoomPresenceMessage): PresenceMessage => ({
  ...message,
  topic,
})
