import { createHash } from 'node:crypto'
import { and, eq, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Database, Db } from '#server/platform/database/pool.ts'
import type { Viewer } from '#server/platform/http/policy.ts'
import type { Random } from '#server/platform/ids.ts'
import { sessions, users } from './schema.ts'

export const maxSessions = 20
/** A sign-in counts as fresh for so long: what needs one asks again later. */
export const freshMs = 15 * 60 * 1000

const day = 24 * 60 * 60
/** Seconds without use, and in all (S22). */
export const lives = {
  user: { idle: 14 * day, whole: 30 * day },
  guest: { idle: 30 * day, whole: 90 * day },
  admin: { idle: day / 2, whole: 7 * day },
} as const

export type SessionKind = keyof typeof lives

export const kindOf = ({ isAnonymous, isAdmin }: { isAnonymous: boolean; isAdmin: boolean }): SessionKind =>
  isAdmin ? 'admin' : isAnonymous ? 'guest' : 'user'

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Opens a session and ends the oldest over the limit. */
export async function addSession(db: Db, random: Random, userId: string, kind: SessionKind): Promise<string> {
  const token = random.bytes(32).toString('base64url')
  await db.insert(sessions).values({
    tokenHash: hashOfToken(token),
    userId,
    openedAt: sql`app_now()`,
    lastSeenAt: sql`app_now()`,
    expiresAt: sql`app_now() + make_interval(secs => ${lives[kind].whole})`,
  })
  const newest = db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(sql`${sessions.openedAt} desc, ${sessions.tokenHash}`)
    .limit(maxSessions)
  await db.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.tokenHash, newest)))
  return token
}

/** Whose session a token opens, with the rights of this moment (S4). */
export async function findViewer(db: Database, token: string): Promise<Viewer> {
  const [found] = await db
    .select({
      tokenHash: sessions.tokenHash,
      openedAt: sessions.openedAt,
      id: users.id,
      isAnonymous: users.isAnonymous,
      isAdmin: users.isAdmin,
      idleSeconds: sql<number>`extract(epoch from app_now() - ${sessions.lastSeenAt})::float8`,
      ageSeconds: sql<number>`extract(epoch from app_now() - ${sessions.openedAt})::float8`,
      isOver: sql<boolean>`${sessions.expiresAt} <= app_now()`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hashOfToken(token)))
  if (found === undefined) return { kind: 'visitor' }
  const kind = kindOf(found)
  const { idle, whole } = lives[kind]
  if (found.isOver || found.idleSeconds > idle || found.ageSeconds > whole) return { kind: 'visitor' }
  if (found.idleSeconds > seenEverySeconds) {
    await db
      .update(sessions)
      .set({ lastSeenAt: sql`app_now()` })
      .where(eq(sessions.tokenHash, found.tokenHash))
  }
  return { kind, id: found.id, session: { tokenHash: found.tokenHash, openedAt: found.openedAt } }
}

/** Being seen is written so often at most, so that reading stays reading. */
const seenEverySeconds = 5 * 60

export async function endSession(db: Db, tokenHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}

export async function endSessionsOf(db: Db, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId))
}

/** Expired sessions go, and guests whom nobody has used for 30 days (S16, S22). */
export async function purgeSessions(db: Db): Promise<void> {
  await db
    .delete(sessions)
    .where(
      or(
        lt(sessions.expiresAt, sql`app_now()`),
        lt(sessions.lastSeenAt, sql`app_now() - interval '30 days'`),
      ),
    )
}

/** Guests without any session left, older than 30 days. */
export async function listUnusedGuests(db: Db): Promise<{ id: string }[]> {
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.isAnonymous, true),
        lt(users.createdAt, sql`app_now() - interval '30 days'`),
        sql`not exists (select from ${sessions} where ${sessions.userId} = ${users.id})`,
      ),
    )
    .limit(500)
}

export async function endOtherSessions(db: Db, userId: string, tokenHash: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, tokenHash)))
}
