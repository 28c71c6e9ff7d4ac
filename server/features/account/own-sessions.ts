import { and, desc, eq, ne, sql } from 'drizzle-orm'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '#contract/account/sessions/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { isCurrent, type Person, requireFreshSignIn } from './fresh-sign-in.ts'
import { sessions, users } from './schema.ts'
import { isOpen } from './sessions.ts'

/** Counts after the check of the sign-in: otherwise a stolen session could use up the calls of its person. */
const endings: LimitRule = { name: 'ended-sessions', count: 60, seconds: 3600, by: 'person' }

/** The sessions of a person, as the person sees and ends them. */
export const ownSessionRoutes: readonly Route[] = [
  handle(listSessions, people, ({ db, viewer }) => listSessionsOf(db, viewer)),

  handle(endSession, people, async (call) => {
    const { db, viewer, params, limit, fail } = call
    await requireFreshSignIn(call, 'SignInAgainToEndSessions')
    await limit(endings)
    const ended = await removeSession(db, viewer, params.id)
    if (ended === 'notFound') fail('SessionNotFound')
    if (ended === 'isCurrent') fail('CurrentSession')
    return done
  }),

  handle(endOtherSessions, people, async (call) => {
    const { db, viewer, limit } = call
    await requireFreshSignIn(call, 'SignInAgainToEndSessions')
    await limit(endings)
    await db.delete(sessions).where(and(eq(sessions.userId, viewer.id), isNotCurrent(viewer)))
    return done
  }),
]

const isNotCurrent = ({ session }: Person) => ne(sessions.tokenHash, session.tokenHash)

/** The open sessions of a person. Everybody can sign in to the demo account, so it lists the current one alone. */
const listSessionsOf = (db: Db, viewer: Person): Promise<OwnSession[]> =>
  db
    .select({
      id: sessions.id,
      browser: sessions.browser,
      system: sessions.system,
      signedInAt: sessions.openedAt,
      lastUsedAt: sessions.lastSeenAt,
      isCurrent: sql<boolean>`${isCurrent(viewer)}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.userId, viewer.id),
        isOpen(viewer.kind),
        sql`(not ${users.isDemo} or ${isCurrent(viewer)})`,
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))

/** Ends a session of a person, except the current one. */
async function removeSession(
  db: Db,
  viewer: Person,
  id: string,
): Promise<'ended' | 'isCurrent' | 'notFound'> {
  const isNamed = and(eq(sessions.userId, viewer.id), eq(sessions.id, id))
  const { rowCount } = await db.delete(sessions).where(and(isNamed, isNotCurrent(viewer)))
  if (rowCount === 1) return 'ended'
  return (await db.$count(sessions, isNamed)) === 1 ? 'isCurrent' : 'notFound'
}
