import type { OwnSuspension } from '#contract/account/suspensions/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import type { Needs } from '#server/feature.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { Call, Fail } from '#server/platform/http/endpoints/handle.ts'
import type { Viewer } from '#server/platform/http/endpoints/policy.ts'
import { exportTokenOf } from './export-tokens.ts'
import { type Account, findUser } from './queries.ts'
import { addSession, endSession, kindOf, type SessionKind, sessionSeconds } from './sessions.ts'
import { findSuspension } from './suspensions.ts'

type EnteringCall = Pick<
  Call,
  'db' | 'viewer' | 'random' | 'userAgent' | 'audit' | 'auditRefusal' | 'setSession' | 'afterCommit'
> & { fail: Fail<'Suspended'> }

type Deps = Pick<Needs, 'database' | 'secret' | 'clock'>

interface Within {
  /** Locks the account, and refuses when the proof of its person is no longer good. */
  lock: (tx: Db) => Promise<void>
  /** Runs unless the account is suspended. */
  change: (tx: Db) => Promise<void>
}

/**
 * Opens a session for a person who has just proved who they are. A suspended person gets the reason, a token
 * for an export and no session, and nothing changes.
 */
export async function enter(
  call: EnteringCall,
  deps: Deps,
  account: Account,
  { lock, change }: Within,
): Promise<User> {
  const { viewer, random, userAgent, audit, fail } = call
  const kind = kindOf(account)
  const { token, suspension } = await deps.database.transaction(async (tx) => {
    await lock(tx)
    const found = await findSuspension(tx, account.id)
    if (found !== undefined) return { suspension: found }
    await change(tx)
    await endOwnSession(tx, viewer)
    await audit('sign-in', { actorId: account.id }, tx)
    return { token: await addSession(tx, random, { userId: account.id, kind, userAgent }) }
  })
  if (token === undefined) {
    await call.auditRefusal('suspended-sign-in-refused', { subjectId: account.id })
    const current: OwnSuspension = { ...suspension!, exportToken: exportTokenOf(account, deps) }
    return fail('Suspended', { current })
  }
  return openedFor(call, account.id, kind, token)
}

/** Sets the cookies of a new session and returns the person. */
export async function openedFor(
  call: Pick<Call, 'db' | 'setSession' | 'afterCommit'> & { fail: Fail<never> },
  id: string,
  kind: SessionKind,
  token: string,
): Promise<User> {
  // Another session may have deleted the account in the meantime.
  const user = (await findUser(call.db, id)) ?? call.fail('SignInRequired')
  call.afterCommit(() => call.setSession(token, sessionSeconds[kind].whole))
  return user
}

export async function endOwnSession(db: Db, viewer: Viewer): Promise<void> {
  if (viewer.kind !== 'visitor') await endSession(db, viewer.session.tokenHash)
}
