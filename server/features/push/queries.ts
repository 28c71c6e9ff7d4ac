import { and, eq, or, sql } from 'drizzle-orm'
import type { InputOf } from '#contract/endpoint.ts'
import type { savePushDevice } from '#contract/push/endpoints.ts'
import { isOpen, sessions } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { type IdSources, newId } from '#server/platform/ids.ts'
import type { Push } from './queue.ts'
import { pushDevices, pushes } from './schema.ts'

const isOfSession = ({ session }: SignedIn) => eq(pushDevices.sessionHash, session.tokenHash)

export async function findEndpoint(db: Db, viewer: SignedIn): Promise<string | undefined> {
  const { endpoint } = pushDevices
  const [device] = await db.select({ endpoint }).from(pushDevices).where(isOfSession(viewer))
  return device?.endpoint
}

/**
 * Stores the device of a session, instead of the one that the session or the browser had. Returns false when the session
 * has ended meanwhile.
 */
export async function saveDevice(
  call: IdSources & { db: Db; viewer: SignedIn },
  device: InputOf<typeof savePushDevice>,
): Promise<boolean> {
  const { db, viewer } = call
  const { tokenHash } = viewer.session
  const session = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
    .for('no key update')
  if (session.length === 0) return false
  // The pushes that wait for the earlier device, which may be that of another person, go with it.
  await db.delete(pushDevices).where(or(isOfSession(viewer), eq(pushDevices.endpoint, device.endpoint)))
  const added = { id: newId(call), userId: viewer.id, sessionHash: tokenHash, ...device }
  // Of two sessions of one browser at the same time the later one has the device.
  await db
    .insert(pushDevices)
    .values({ ...added, createdAt: sql`app_now()` })
    .onConflictDoUpdate({ target: pushDevices.endpoint, set: added })
  return true
}

/** Keeps the device of a session that gets a new token. */
export async function moveDevice(db: Db, { fromHash, toHash }: { fromHash: string; toHash: string }) {
  await db.update(pushDevices).set({ sessionHash: toHash }).where(eq(pushDevices.sessionHash, fromHash))
}

export const removeDevice = (db: Db, viewer: SignedIn) => db.delete(pushDevices).where(isOfSession(viewer))

export interface TakenPush extends Omit<Push, 'mailedEvents'> {
  id: string
  userId: string
  deviceId: string
  attempts: number
  eventNumbers: number[]
  endpoint: string
  p256dh: string
  auth: string
  /** Until the push is not sent any more. Negative when that time has passed. */
  secondsLeft: number
  /** Whether the session of the device has ended without use. */
  isOfEndedSession: boolean
}

/** Longer than one attempt takes, so that no other process sends the push meanwhile. */
const leaseSeconds = 60

/** Takes due pushes under a lease: until its end no other process takes them. */
export async function takePushes(db: Db, atMost: number): Promise<TakenPush[]> {
  const { rows } = await db.execute<{ [K in keyof TakenPush]: TakenPush[K] }>(sql`
    with moment as materialized (
      select at, at + make_interval(secs => ${leaseSeconds}) as lease_end from (select app_now() as at offset 0) clock),
    taken as (
      update pushes set attempts = attempts + 1, attempt_at = lease_end
      from moment
      where (device_id, topic) in (
        select device_id, topic from pushes where attempt_at <= (select at from moment)
        order by attempt_at limit ${atMost} for update skip locked)
      returning pushes.*)
    select taken.id, push_devices.user_id as "userId", device_id as "deviceId", kind, title, path, topic,
      event_numbers as "eventNumbers", attempts, endpoint, p256dh, auth,
      extract(epoch from give_up_at - moment.at)::float8 as "secondsLeft",
      not case when is_admin then ${isOpen('admin')} when is_moderator then ${isOpen('moderator')}
        else ${isOpen('user')} end as "isOfEndedSession"
    from moment, taken join push_devices on push_devices.id = device_id
      join sessions on token_hash = session_hash join users on users.id = sessions.user_id`)
  return rows
}

/** A condition: no process has taken the push since, and no newer one has taken its place. */
const isStillTaken = ({ id, attempts }: TakenPush) => and(eq(pushes.id, id), eq(pushes.attempts, attempts))

/** A condition: the push is to the person of another push. */
const isToSamePerson = ({ userId }: TakenPush) =>
  sql`device_id in (select push_devices.id from push_devices where push_devices.user_id = ${userId})`

/**
 * A push that reached one device is not followed by a mail when another device does not get it. Lock the person before. A
 * device is locked before its pushes, as its removal does.
 */
export async function setSent(db: Db, push: TakenPush): Promise<void> {
  await db
    .update(pushDevices)
    .set({ lastSentAt: sql`app_now()` })
    .where(eq(pushDevices.id, push.deviceId))
  await db.delete(pushes).where(isStillTaken(push))
  if (push.eventNumbers.length === 0) return
  await db.execute(sql`
    update pushes set event_numbers =
      array(select unnest(event_numbers) except select unnest(${sql.param(push.eventNumbers)}::int[]))
    where ${isToSamePerson(push)}`)
}

/**
 * Removes a push that its device does not get, or the device with all its pushes. Returns the events that no other device is
 * told of. Lock the person before, so that of two devices the second one sees that the first one was not told.
 */
export async function removePush(db: Db, push: TakenPush, isDeviceGone: boolean): Promise<number[]> {
  const device = eq(pushDevices.id, push.deviceId)
  if (isDeviceGone) await db.select({ id: pushDevices.id }).from(pushDevices).where(device).for('update')
  const removed = await db
    .delete(pushes)
    .where(isDeviceGone ? eq(pushes.deviceId, push.deviceId) : isStillTaken(push))
    .returning({ eventNumbers: pushes.eventNumbers })
  // The browser may have another subscription by now.
  if (isDeviceGone) await db.delete(pushDevices).where(device)
  const { rows } = await db.execute<{ number: number }>(sql`
    select unnest(${sql.param(removed.flatMap(({ eventNumbers }) => eventNumbers))}::int[]) as number
    except select unnest(event_numbers) from pushes where ${isToSamePerson(push)}`)
  return rows.map(({ number }) => number)
}

export const postponePush = (db: Db, push: TakenPush, seconds: number) =>
  db
    .update(pushes)
    .set({ attemptAt: sql`app_now() + make_interval(secs => ${seconds})` })
    .where(isStillTaken(push))
