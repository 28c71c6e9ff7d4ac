import { and, eq, gt, inArray, lt, ne, notInArray, sql } from 'drizzle-orm'
import type { DomainEvents } from '#server/domain-events.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import {
  arrayParameter,
  type Database,
  type Db,
  executePrepared,
  perHandle,
} from '#server/platform/database/pool.ts'
import type { Registered, SignedIn, Viewer } from '#server/platform/http/endpoints/policy.ts'
import type { Random } from '#server/platform/ids.ts'
import { batch } from '#server/platform/batch.ts'
import { digestOf, newToken } from '#server/platform/tokens.ts'
import { apiTokens, sessions, users } from './schema.ts'
import { isSuspended } from './suspensions.ts'
import { readUserAgent } from './user-agent.ts'

const maxSessions = 20
/** How long a sign-in counts as fresh. Later, calls that need a fresh one ask for a new sign-in. */
const freshSeconds = 15 * 60

const day = 24 * 60 * 60
const privileged = { idle: day / 2, whole: 7 * day }
/** How long a session lasts without use, and in all, in seconds (S22). */
export const sessionSeconds = {
  user: { idle: 14 * day, whole: 30 * day },
  guest: { idle: 30 * day, whole: 90 * day },
  moderator: privileged,
  admin: privileged,
} as const

export type SessionKind = keyof typeof sessionSeconds

interface NewSession {
  userId: string
  kind: SessionKind
  /** The browser of a registered person. The sessions of guests are listed nowhere. */
  userAgent?: string | undefined
}

/** Opens a session and ends the oldest over the limit. */
export async function addSession(
  db: Db,
  random: Random,
  { userId, kind, userAgent }: NewSession,
): Promise<string> {
  const token = newToken(random)
  const tokenHash = digestOf(token)
  await db.insert(sessions).values({
    tokenHash,
    userId,
    ...readUserAgent(userAgent),
    openedAt: sql`app_now()`,
    lastSeenAt: sql`app_now()`,
    expiresAt: sql`app_now() + make_interval(secs => ${sessionSeconds[kind].whole})`,
  })
  const newest = db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    // The new one counts as the newest even when the clock was moved back.
    .orderBy(sql`${sessions.tokenHash} = ${tokenHash} desc, ${sessions.openedAt} desc, ${sessions.tokenHash}`)
    .limit(maxSessions)
  await db.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.tokenHash, newest)))
  return token
}

/**
 * Gives a session a new token and ends all others of its person, and the API tokens; undefined when it has ended meanwhile.
 * Its age stays, because a new token is no new proof of identity. Call `lockPerson` first.
 */
export async function renewSession(
  db: Db,
  { random, events }: { random: Random; events: DomainEvents },
  { id, session }: SignedIn,
): Promise<string | undefined> {
  const [renewed] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, session.tokenHash))
    .for('update')
  if (renewed === undefined) return undefined
  const token = newToken(random)
  const tokenHash = digestOf(token)
  await db.insert(sessions).values({ ...renewed, tokenHash })
  await events.emitWithin('sessionRenewed', db, { fromHash: session.tokenHash, toHash: tokenHash })
  await db.delete(sessions).where(and(eq(sessions.userId, id), ne(sessions.tokenHash, tokenHash)))
  await endApiTokensOf(db, id)
  return token
}

/** The viewer of the session with this token, with the present rights (S4). */
export async function findViewer(db: Database, token: string): Promise<Viewer> {
  const found = await findSession(db)(digestOf(token))
  if (found === undefined) return { kind: 'visitor' }
  const kind = found.isAnonymous ? 'guest' : kindOf(found)
  if (hasEnded(found, kind)) return { kind: 'visitor' }
  if (found.idleSeconds > seenEverySeconds) {
    await db
      .update(sessions)
      .set({ lastSeenAt: sql`app_now()` })
      .where(eq(sessions.tokenHash, found.tokenHash))
  }
  return { kind, id: found.id, session: { tokenHash: found.tokenHash, isFresh: isFresh(found) } }
}

/** The kind of viewer of a registered person. The right of an admin comes first. */
export const kindOf = (person: { isAdmin: boolean; isModerator: boolean }): Registered =>
  person.isAdmin ? 'admin' : person.isModerator ? 'moderator' : 'user'

/** The hashes of those tokens whose sessions have ended, or whose people have other rights by now. */
export async function listEndedSessions(db: Db, opened: OpenedSession[]): Promise<string[]> {
  const ended: string[] = []
  for (const [kind, asked] of Map.groupBy(opened, (one) => one.kind)) {
    for (let start = 0; start < asked.length; start += askedAtOnce) {
      const hashes = asked.slice(start, start + askedAtOnce).map(({ tokenHash }) => tokenHash)
      const name = kind === 'apiToken' ? 'select_ended_api_tokens' : 'select_ended_sessions'
      const rows = await executePrepared<{ tokenHash: string }>(db, name, selectEnded(kind, hashes))
      ended.push(...rows.map(({ tokenHash }) => tokenHash))
    }
  }
  return ended
}

interface OpenedSession {
  tokenHash: string
  kind: SessionKind | 'apiToken'
}

/**
 * `offset 0` keeps Postgres from making a join of the conditions, which would read the sessions of all people. The list is in a
 * subquery, so that Postgres keeps one plan, as in `arrayParameter`.
 */
export const selectEnded = (kind: OpenedSession['kind'], hashes: string[]) => sql`
  select asked as "tokenHash" from unnest((select ${sql.param(hashes)}::text[])) asked
  where not exists (${kind === 'apiToken' ? openToken : openSession(kind)} offset 0)`

const openSession = (kind: SessionKind) => sql`
  select 1 from sessions join users on users.id = sessions.user_id
  where token_hash = asked and ${isOpen(kind)}
    and ${kind} = case when is_anonymous then 'guest' when is_admin then 'admin' when is_moderator then 'moderator' else 'user' end`

const openToken = sql`
  select 1 from api_tokens
  where token_hash = asked and expires_at > (select app_now()) and not ${isSuspended(apiTokens.userId)}`

/** A condition on a row of `sessions`: it is not over, by its age or without use (S22). Postgres reads the clock once for all rows. */
export function isOpen(kind: SessionKind) {
  const { idle, whole } = sessionSeconds[kind]
  return sql<boolean>`(sessions.expires_at > (select app_now())
    and sessions.last_seen_at >= (select app_now()) - make_interval(secs => ${idle})
    and sessions.opened_at >= (select app_now()) - make_interval(secs => ${whole}))`
}

/** The size of a batch: other calls run between the batches of thousands of sessions. */
const askedAtOnce = 500

const viewerFields = {
  tokenHash: sessions.tokenHash,
  id: users.id,
  isAnonymous: users.isAnonymous,
  isAdmin: users.isAdmin,
  isModerator: users.isModerator,
  idleSeconds: sql<number>`extract(epoch from app_now() - ${sessions.lastSeenAt})::float8`.as('idle_seconds'),
  ageSeconds: sql<number>`extract(epoch from app_now() - ${sessions.openedAt})::float8`.as('age_seconds'),
  isOver: sql<boolean>`${sessions.expiresAt} <= app_now()`.as('is_over'),
}

interface Age {
  idleSeconds: number
  ageSeconds: number
  isOver: boolean
}

const hasEnded = ({ isOver, idleSeconds, ageSeconds }: Age, kind: SessionKind): boolean =>
  isOver || idleSeconds > sessionSeconds[kind].idle || ageSeconds > sessionSeconds[kind].whole

/**
 * After the clock of the database was set back, the age of a session is unknown, so the session is not fresh; a new
 * sign-in is. The one second allows for a clock that is corrected in small steps.
 */
const isFresh = ({ idleSeconds, ageSeconds }: Age): boolean => idleSeconds > -1 && ageSeconds < freshSeconds

/** Nearly every request needs its session: requests at the same time share one statement. */
const findSession = perHandle((db) =>
  batch(async (tokenHashes: string[]) => {
    const found = await selectSessions(db).execute({ tokenHashes })
    return new Map(found.map((session) => [session.tokenHash, session]))
  }),
)

/**
 * Reads a session and its person by their keys, once for each token. `limit 1` keeps Postgres from making one join for all tokens.
 * It does not know their number: for a join it would expect many rows, and read all people.
 */
const selectSessions = perHandle((db) => {
  const session = db
    .select(viewerFields)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(sql`${sessions.tokenHash} = asked`)
    .limit(1)
    .as('session')
  return db
    .select({ ...session._.selectedFields })
    .from(sql`unnest(${arrayParameter('tokenHashes', 'text')}) asked`)
    .innerJoinLateral(session, sql`true`)
    .prepare('select_sessions')
})

/** The least time between two writes of `lastSeenAt`, so that most reads write nothing. */
export const seenEverySeconds = 5 * 60

export async function endSession(db: Db, tokenHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}

/** Ends the sessions of a person, and the API tokens. */
export async function endSessionsOf(db: Db, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId))
  await endApiTokensOf(db, userId)
}

/** After the sessions: a call that makes a token has locked its session, so its token is found here. */
const endApiTokensOf = (db: Db, userId: string) => db.delete(apiTokens).where(eq(apiTokens.userId, userId))

export async function endDemoSessions(db: Db): Promise<void> {
  const demo = db.select({ id: users.id }).from(users).where(eq(users.isDemo, true))
  await db.delete(sessions).where(inArray(sessions.userId, demo))
}

/** Deletes sessions past their whole life (S22). A session that ended by disuse is deleted then too, or with its guest. */
export const purgeSessions = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, sessions.expiresAt, sql`app_now()`, signal)

/** Some guests older than 30 days without a session that was used in 30 days, those with an id after `after`. */
export async function listUnusedGuests(db: Db, after: string): Promise<{ id: string }[]> {
  const monthAgo = sql`app_now() - interval '30 days'`
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        gt(users.id, after),
        eq(users.isAnonymous, true),
        lt(users.createdAt, monthAgo),
        sql`not exists (select 1 from ${sessions} where ${sessions.userId} = ${users.id}
          and ${sessions.expiresAt} > app_now() and ${sessions.lastSeenAt} >= ${monthAgo})`,
      ),
    )
    .orderBy(users.id)
    .limit(500)
}
