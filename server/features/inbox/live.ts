import * as z from 'zod/mini'
import { type InboxEvents, inboxTopics } from '#contract/inbox/live.ts'
import { liveGapMax } from '#contract/live/events.ts'
import { PersonId } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import { batch } from '#server/platform/batch.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { registeredIdOf } from '#server/platform/http/endpoints/policy.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { bodyOf } from '#server/platform/live/stream.ts'
import type { EventBatch, TopicSource } from '#server/platform/live/topic-source.ts'
import type { Topics } from '#server/platform/live/topics.ts'
import { loadContents } from './contents.ts'
import type { InboxEventLoaders, TransientEventName } from './event-types.ts'
import {
  type EventsRequest,
  findInboxEvents,
  type InboxEventBatch,
  listInboxStates,
  matchSessions,
  type SessionsRequest,
} from './queries.ts'
import { endWaitOfReceived } from './untold.ts'

export type Inboxes = ReturnType<typeof addInboxTopics>

/**
 * The format between processes. `people` contains ids. It must not change, because processes of two versions may run at the
 * same time.
 */
const InboxBusMessage = z.object({ kind: z.literal('inbox'), people: z.array(PersonId) })

interface Deps extends Pick<Needs, 'database' | 'events' | 'loaders'> {
  bus: Bus
  topics: Topics
}

/** Adds inboxes as topics, and polls an inbox when a bus message names its person. */
export function addInboxTopics({ bus, database, topics, events, loaders }: Deps) {
  const received = new Map<string, number>()
  const inboxes = topics.add(inboxSource(database, loaders, received))
  bus.subscribe((message) => {
    const { success, data } = z.safeParse(InboxBusMessage, message)
    if (success) for (const id of data.people) inboxes.get(id)?.poll()
  })
  events.on('inboxesChanged', (people) =>
    bus.publish({ kind: 'inbox', people: [...people] } satisfies z.infer<typeof InboxBusMessage>),
  )
  return {
    /** Whether a device of the person is connected to this process. */
    isConnected: (personId: string) => inboxes.get(personId) !== undefined,
    /** Nobody is told while away of an event that a page of the person has got from this process. */
    async endWaitOfReceived() {
      if (received.size === 0) return
      const ended = new Map(received)
      await endWaitOfReceived(database, ended)
      for (const [id, number] of ended) if (received.get(id) === number) received.delete(id)
    },
    /** Sends an event that is not stored to the devices of the person that are connected to this process. */
    async send<Name extends TransientEventName>(personId: string, name: Name, data: InboxEvents[Name]) {
      await inboxes.get(personId)?.send(bodyOf(name, data))
    },
  }
}

/** The size of a batch of reads for inboxes. Bounds its rows, and the time of one statement. */
const peoplePerQuery = 50
const inParts = { fits: (waiting: unknown[]) => waiting.length < peoplePerQuery }

/** A message changes the inboxes of two people, and many people write at once: their inboxes share their reads. */
const inboxSource = (
  database: Database,
  loaders: InboxEventLoaders,
  received: Map<string, number>,
): TopicSource => {
  const findEvents = batch((requests: EventsRequest[]) => findInboxEvents(database, requests), inParts)
  const matchInBatches = batch((requests: SessionsRequest[]) => matchSessions(database, requests), inParts)
  return {
    kind: inboxTopics,
    Id: PersonId,
    listReadable: async (viewer, ids) => {
      const own = ids.filter((id) => id === registeredIdOf(viewer))
      return (await listInboxStates(database, own)).map((state) => ({ ...state, isPublic: false }))
    },
    // Nobody learns whether an account exists. The streams of a deleted account end with its sessions.
    listExisting: (ids) => Promise.resolve(ids),
    listStates: async (ids) =>
      (await listInboxStates(database, ids)).map((state) => ({ ...state, isEnded: false })),
    findEventsAfter: (id, after) => findEventsAfter({ database, loaders, findEvents }, id, after),
    // An inbox is read by the sessions of its person.
    listPermissions: async (personIds, tokenHashes) => (await matchInBatches({ personIds, tokenHashes }))!,
    cursorName: (id) => id,
    // An inbox is deleted only with its account. Its streams end with the sessions, so the body does not matter.
    deletedBody: () => bodyOf('reset', {}),
    onSent: (id, number) => void received.set(id, Math.max(number, received.get(id) ?? 0)),
  }
}

interface Reads {
  database: Database
  loaders: InboxEventLoaders
  findEvents: (request: EventsRequest) => Promise<InboxEventBatch | undefined>
}

/**
 * Skips events whose content is deleted. Returns undefined when the person does not exist. Returns an empty list only when
 * no later event has content.
 */
async function findEventsAfter(
  reads: Reads,
  personId: string,
  after: number,
): Promise<EventBatch | undefined> {
  const found = await reads.findEvents({ personId, after })
  if (found === undefined) return undefined
  const { lastEvent, events: stored } = found
  // More events were added while the stream caught up, and the next ones were deleted.
  if (lastEvent - after > liveGapMax)
    return { lastEvent, isEnded: false, events: [{ number: lastEvent, body: bodyOf('reset', {}) }] }
  if (stored.length === 0) return { lastEvent, isEnded: false, events: [] }
  const { contents, last } = await loadContents(reads, personId, stored)
  if (contents.length === 0) return findEventsAfter(reads, personId, last)
  const events = contents.map(({ number, name, content }) => ({ number, body: bodyOf(name, content) }))
  return { lastEvent, isEnded: false, events }
}
