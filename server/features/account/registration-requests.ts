import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { requestsAtOnce, waitingDays } from '#contract/account/registration/rules.ts'
import type { RegistrationRequest } from '#contract/account/registration/endpoints.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { registrationRequests, type RequestedPerson } from './schema.ts'

const { id, email, secret, person, createdAt, refusedAt, guestId } = registrationRequests
const isWaiting = isNull(refusedAt)

interface NewRequest {
  id: string
  email: string
  secret: string
  person: RequestedPerson
  guestId: string | null
}

/** Stores a request in place of a refused one of the same address. Call `isEmailTaken` under the lock of the address first. */
export async function addRequest(db: Db, request: NewRequest): Promise<void> {
  await db.delete(registrationRequests).where(eq(email, request.email))
  await db.insert(registrationRequests).values({ ...request, createdAt: sql`app_now()` })
}

export const countRequests = (db: Db): Promise<number> => db.$count(registrationRequests, isWaiting)

export async function listRequests(db: Db): Promise<RegistrationRequest[]> {
  const found = await db
    .select({ id, email, person, createdAt })
    .from(registrationRequests)
    .where(isWaiting)
    .orderBy(asc(createdAt), asc(id))
    .limit(requestsAtOnce)
  return found.map((row) => ({ id: row.id, email: row.email, createdAt: row.createdAt, ...row.person! }))
}

/** What a sign-in needs to know of somebody who waits, or was refused. */
export async function findRequest(db: Db, address: string) {
  const [found] = await db
    .select({ id, secret, isRefused: sql<boolean>`${refusedAt} is not null` })
    .from(registrationRequests)
    .where(eq(email, address))
  return found
}

/** What has to be locked before a waiting person is taken out of the queue. */
export async function findWaiting(db: Db, requestId: string) {
  const [found] = await db
    .select({ email, guestId })
    .from(registrationRequests)
    .where(and(eq(id, requestId), isWaiting))
  return found
}

/** Takes a waiting person out of the queue, for the new account; undefined when another admin was first. */
export async function takeRequest(db: Db, requestId: string) {
  const [taken] = await db
    .delete(registrationRequests)
    .where(and(eq(id, requestId), isWaiting))
    .returning({ email, secret, person, createdAt, guestId })
  return taken && { ...taken, person: taken.person! }
}

/** Keeps the address and the password of a refused person alone, for the answer to the next sign-in. */
export async function refuseRequest(db: Db, requestId: string): Promise<boolean> {
  const { rowCount } = await db
    .update(registrationRequests)
    .set({ refusedAt: sql`app_now()`, person: null, guestId: null })
    .where(and(eq(id, requestId), isWaiting))
  return rowCount === 1
}

/** The person has read the refusal: nothing is stored any more. */
export async function removeRefused(db: Db, requestId: string): Promise<void> {
  await db.delete(registrationRequests).where(and(eq(id, requestId), isNotNull(refusedAt)))
}

/** Forgets who has not come back after a refusal, and who has waited for longer than any admin needs. */
export async function purgeRequests(db: Db, signal?: AbortSignal): Promise<void> {
  await deleteBefore(db, refusedAt, sql`app_now() - interval '30 days'`, signal)
  await db
    .delete(registrationRequests)
    .where(and(isWaiting, lt(createdAt, sql`app_now() - make_interval(days => ${waitingDays})`)))
}
