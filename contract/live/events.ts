import type { RoomPassage } from '#contract/rooms/room.ts'

/** The live stream: `GET /api/live?rooms=id,id` as server-sent events. */
export const livePath = '/api/live'

/** Rooms that one stream may carry. */
export const liveRoomsMax = 20

/** A stream that is further behind than this begins anew with `reset`. */
export const liveGapMax = 1000

/** What each event of the stream carries, as JSON in its `data`. */
export interface LiveEvents {
  /** The first event: the rooms that the stream carries, which are the ones the caller may read. */
  ready: { rooms: string[] }
  'room.message': RoomPassage
  'room.joined': { roomId: string; memberCount: number }
  /** How many people have the room open; never stored. */
  'room.presence': { roomId: string; count: number }
  'room.writing': { roomId: string; userId: string }
  'room.expired': { roomId: string }
  'room.deleted': { roomId: string }
  /** What came in between is lost to this stream: read everything anew. */
  reset: Record<string, never>
}

export type LiveEventName = keyof LiveEvents
