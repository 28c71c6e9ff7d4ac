import type { InboxEvents } from '#contract/inbox/live.ts'
import type { Db } from '#server/platform/database/pool.ts'

/** The events that are stored. */
export type InboxEventName = Exclude<keyof InboxEvents, TransientEventName>
export type TransientEventName = 'room.written'

/** What an event of any name may store, and nothing else: ids of things, and values beside them. */
export type EventDetails = Partial<
  Record<
    | 'id'
    | 'roomId'
    | 'postId'
    | 'count'
    | 'status'
    | 'decidedAt'
    | 'erasedAt'
    /** Whether a post or a waiting version was erased, what a warning is about, or of what part of a turn a reminder tells. */
    | 'what'
    | 'addedByFriendAt'
    | 'writtenAt'
    | 'madeAt'
    | 'warnedAt'
    /** The number of a turn. */
    | 'turn'
    | 'toldAt'
    /** Why an admin has erased a text, or the text of a warning. Nothing else keeps it for the author. */
    | 'reason',
    string
  >
>

/** What a loader gets of a stored event. */
export type EventReference = EventDetails & { otherPersonId?: string }

/**
 * Load the contents of events for a person, in the order of `references`. A loader returns undefined when the content of an
 * event was deleted or may not be read any more; the stream skips this event. A loader may return the contents of only the
 * first events when these are long.
 */
export type InboxEventLoaders = {
  [Name in InboxEventName]: (
    db: Db,
    personId: string,
    references: EventReference[],
  ) => Promise<(InboxEvents[Name] | undefined)[]>
}
