import { eq } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { Fail } from '#server/platform/http/endpoints/handle.ts'
import type { Registered, SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { lockPerson } from './queries.ts'
import { sessions, users } from './schema.ts'

export type Person = SignedIn<Registered>

interface FreshCall<Code extends ErrorCode> {
  db: Db
  viewer: Person
  fail: Fail<Code | 'DemoAccountStays'>
}

/**
 * Refuses a call of a person who has not signed in within the last 15 minutes: a stolen session must not be able to end
 * each new session of its person, or to make a token. The locks let one of several calls end the sessions of the others,
 * which are then refused.
 */
export async function requireFreshSignIn<Code extends ErrorCode>(
  { db, viewer, fail }: FreshCall<Code>,
  code: Code,
): Promise<void> {
  if (!viewer.session.isFresh) fail(code)
  if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
  const [own] = await db
    .select({ isDemo: users.isDemo })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isCurrent(viewer))
    .for('update', { of: sessions })
  if (own === undefined) fail('SignInRequired')
  else if (own.isDemo) fail('DemoAccountStays')
}

/** A condition on a row of `sessions`: it makes the call. */
export const isCurrent = ({ session }: Person) => eq(sessions.tokenHash, session.tokenHash)
