import type { InboxEvents } from '#contract/inbox/live.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { InboxEventLoaders, InboxEventName } from './event-types.ts'
import { referenceOf, type StoredEvent } from './queries.ts'

/** Loads the contents of the events that the inbox itself adds. */
export const notificationEventLoaders: Pick<InboxEventLoaders, 'notifications.seen'> = {
  'notifications.seen': async (_db, _personId, events) => events.map(() => ({})),
}

interface EventContent {
  number: number
  name: InboxEventName
  content: InboxEvents[InboxEventName]
}

/**
 * Loads the contents of events, which are in the order of their numbers. Groups the events by name, so that each loader runs
 * one query. `last` is the number up to which all contents were loaded.
 */
export async function loadContents(
  { database, loaders }: { database: Db; loaders: InboxEventLoaders },
  personId: string,
  stored: StoredEvent[],
): Promise<{ contents: EventContent[]; last: number }> {
  const found: EventContent[] = []
  let last = stored.at(-1)?.number ?? 0
  for (const [name, same] of Map.groupBy(stored, (event) => event.name)) {
    // A newer version of the program may have stored names that this one does not know.
    if (!Object.hasOwn(loaders, name)) continue
    const known = name as InboxEventName
    const contents = await loaders[known](
      database,
      personId,
      same.map(({ ids }) => referenceOf(ids)),
    )
    for (const [i, content] of contents.entries())
      if (content !== undefined) found.push({ number: same[i]!.number, name: known, content })
    const notLoaded = same[contents.length]
    if (notLoaded !== undefined) last = Math.min(last, notLoaded.number - 1)
  }
  const inOrder = found.toSorted((one, other) => one.number - other.number)
  return { contents: inOrder.filter(({ number }) => number <= last), last }
}
