import type { InboxEvents } from '#contract/inbox/live.ts'
import type { RoomEvents } from '#contract/rooms/live.ts'

/** The live stream: `GET /api/live?rooms=id,id` as server-sent events. */
export const livePath = '/api/live'

/** A stream that has missed more events receives `reset` instead of them. */
export const liveGapMax = 1000

export interface StreamEvents {
  /** The first event. By the name of the kind: the ids of the requested topics that the viewer may read. */
  ready: Record<string, string[]>
  /** The stream has missed events: fetch the state of every topic. */
  reset: Record<string, never>
}

/** The content of each event of the stream, as JSON in its `data`. */
export interface LiveEvents extends StreamEvents, RoomEvents, InboxEvents {}

export type LiveEventName = keyof LiveEvents
