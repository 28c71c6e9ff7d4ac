import { type Account, setModerator } from './queries.ts'
import { endSessionsOf } from './sessions.ts'
import type { Db } from '#server/platform/database/pool.ts'

/** Whether a person reviews posts and reports, and suspends people. */
export const mayModerate = ({ isAdmin, isModerator }: Pick<Account, 'isAdmin' | 'isModerator'>): boolean =>
  isAdmin || isModerator

/**
 * Gives or takes the right of a moderator. Returns false when nothing changes. Lock the person first, as a sign-in does.
 *
 * The sessions end. With the right, because the length of the password is not known: the next sign-in refuses one that is too
 * weak (S60). Without it, because sessions of moderators end earlier than those of users (S22, S23).
 */
export async function changeModerator(db: Db, account: Account, isModerator: boolean): Promise<boolean> {
  if (account.isModerator === isModerator) return false
  await setModerator(db, account.id, isModerator)
  await endSessionsOf(db, account.id)
  return true
}
