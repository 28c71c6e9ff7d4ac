import type { DomainEvents } from '#server/domain-events.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import type { InboxEventName } from './event-types.ts'
import { addInboxEvents, type NewEvent } from './queries.ts'

/**
 * Adds one event to the inbox of each person, with a notification for the bell and for a person who is away where the event has one.
 * After the commit the open pages of these people get the events. `events` must not name a person twice.
 */
export async function notifyPeople(
  { db, afterCommit }: Pick<Call, 'db' | 'afterCommit'>,
  domainEvents: DomainEvents,
  name: InboxEventName,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  await addInboxEvents(db, name, events)
  const personIds = events.map(({ personId }) => personId)
  afterCommit(() => domainEvents.emit('inboxesChanged', personIds))
}
