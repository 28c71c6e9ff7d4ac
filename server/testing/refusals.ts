import { expect } from 'vitest'
import type { Db } from '#server/platform/database/pool.ts'
import { contentOf } from './content.ts'

/** Returns the answer of a call, such as '403 RoomClosed', after a proof that the call changed nothing that is stored. */
export async function answerWithoutChange(
  db: Db,
  call: () => Promise<{ status: number; code: string | undefined }>,
): Promise<string> {
  // A call stores when its session was used.
  const stored = async () => ({ ...(await contentOf(db)), sessions: undefined })
  const before = await stored()
  const { status, code } = await call()
  expect(await stored()).toEqual(before)
  return `${status} ${code}`
}
