import type { Database } from '#server/platform/database/pool.ts'
import { countFinishedRooms } from './queries.ts'

/** Twenty of the longest stories are counted within a second. */
const batchSize = 20

/** Counts each ended room without a stored count, in batches. */
export async function countRoomsThatEnded(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await countFinishedRooms(database, batchSize)) === batchSize);
}
