import type { DomainEvents } from '#server/domain-events.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import type { InboxEventName } from './event-types.ts'
import { addInboxEvents, type NewEvent } from './queries.ts'

/** Adds one event for each person, and notifies the devices of these people after the commit. */
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
