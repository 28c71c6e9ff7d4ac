import { sql } from 'drizzle-orm'
import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'
import type { Needs } from '#server/feature.ts'
import type { Events } from '#server/domain-events.ts'
import { findEmail, findSuspension, lockPeople } from '#server/features/account/index.ts'
import {
  endWait,
  findPersonToTell,
  listEventsByNumber,
  listUntoldEvents,
  lockInboxesOf,
  postponeTelling,
  type UntoldEvent,
} from '#server/features/inbox/index.ts'
import { addMail, findBounce } from '#server/features/mails/index.ts'
import { queuePush } from '#server/features/push/index.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import { lockKeys } from '#server/platform/database/lock-keys.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { newId } from '#server/platform/ids.ts'
import { countCausedMail, findChoices, findPersonOfDueWeekly, setNextWeekly } from './choices.ts'
import { kindOfEvent, listAwayNotifications, type AwayNotification } from './notifications.ts'
import { nextMonday, waitUntil } from './times.ts'

export type Deps = Pick<Needs, 'config' | 'database' | 'clock' | 'random' | 'loaders'>

/**
 * Takes the lock with which one process at a time tells people, so that nobody is told twice. The transaction is the lease. Returns
 * false when another process has the lock.
 */
async function takeLock(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ is: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockKeys.awayNotifications}) as is`,
  )
  return rows[0]!.is
}

/** Tells one person what is due, or queues one weekly digest. Returns false when nobody is to be told now, or another process does it. */
export const tellNext = (deps: Deps): Promise<boolean> =>
  deps.database.transaction(async (tx) => {
    if (!(await takeLock(tx))) return false
    const personId = await findPersonToTell(tx)
    if (personId === undefined) return queueNextWeekly(deps, tx)
    await tell(deps, tx, personId)
    return true
  })

/** Queues the pushes or the mail about what is due for a person, and postpones what has to wait longer. */
async function tell(deps: Deps, tx: Db, personId: string): Promise<void> {
  const now = await databaseNow(tx)
  const chosen = await findChoices(tx, personId, deps.config.timeZone)
  // A digest is a mail: without mails each notification comes by itself.
  const choices = deps.config.relay === undefined ? { ...chosen, digestHour: null } : chosen
  const isSuspended = (await findSuspension(tx, personId)) !== undefined
  const untold = await listUntoldEvents(tx, personId)
  const { toTell, laterMessages, notToTell, postponed } = planTelling(untold, { choices, isSuspended, now })
  const found = await listAwayNotifications({ db: tx, loaders: deps.loaders }, personId, [
    ...toTell,
    ...laterMessages,
  ])
  const numbersToTell = new Set(numbersOf(toTell))
  const notifications = found.filter(({ numbers }) => numbers.some((number) => numbersToTell.has(number)))

  // People are locked before inboxes, as every change does.
  const causerIds = notifications.flatMap(({ causerId }) => causerId ?? [])
  const lockedIds = await lockPeople(tx, [personId, ...causerIds])
  if (!lockedIds.includes(personId)) return
  await lockInboxesOf(tx, [personId])
  const ended = new Set(
    await endWait(tx, personId, [
      ...numbersOf([...toTell, ...notToTell]),
      ...notifications.flatMap(({ numbers }) => numbers),
    ]),
  )
  for (const [until, events] of postponed)
    await postponeTelling(tx, personId, { numbers: numbersOf(events), until })
  // A page of the person may have got an event before the inbox was locked, and the causer may be gone.
  const stillToSend = notifications.flatMap((notification) => {
    const numbers = notification.numbers.filter((number) => ended.has(number))
    const isCauserGone = notification.causerId !== null && !lockedIds.includes(notification.causerId)
    return numbers.length === 0 || isCauserGone ? [] : { ...notification, numbers }
  })
  const mailed = choices.byMail && (await hasMailbox(deps, tx, personId))
  // A digest is one mail, and pushes come one by one.
  const isPushed =
    !(mailed && choices.digestHour !== null) &&
    (await pushAll(tx, { personId, notifications: stillToSend, mailed }))
  if (mailed && !isPushed) await queueMail(deps, tx, { personId, notifications: stillToSend })
}

interface TellingPlan {
  toTell: UntoldEvent[]
  /** Messages that are not due yet. They are part of the notification about their conversation. */
  laterMessages: UntoldEvent[]
  /** Events that are due, and that the person does not want to be told of. */
  notToTell: UntoldEvent[]
  /** Events that are due and wait longer, by the end of their wait. */
  postponed: Map<string, UntoldEvent[]>
}

/** Further events that are due wait for the next call. */
const dueAtOnce = 200

function planTelling(
  untold: UntoldEvent[],
  { choices, isSuspended, now }: { choices: AwayNotificationChoices; isSuspended: boolean; now: string },
): TellingPlan {
  const isWanted = (event: UntoldEvent) => {
    const kind = kindOfEvent(event)
    return !isSuspended && kind !== undefined && choices[kind]
  }
  const isDue = ({ noticeAt }: UntoldEvent) => noticeAt <= now
  const due = untold.filter(isDue).slice(0, dueAtOnce)
  const toTell: UntoldEvent[] = []
  const postponed = new Map<string, UntoldEvent[]>()
  for (const event of due.filter(isWanted)) {
    const until = waitUntil(choices, { dueAt: event.noticeAt, now })
    if (until === undefined) toTell.push(event)
    else postponed.set(until, [...(postponed.get(until) ?? []), event])
  }
  return {
    toTell,
    laterMessages: untold.filter(
      (event) => !isDue(event) && isWanted(event) && kindOfEvent(event) === 'messages',
    ),
    notToTell: due.filter((event) => !isWanted(event)),
    postponed,
  }
}

const numbersOf = (events: UntoldEvent[]): number[] => events.map(({ number }) => number)

const hasMailbox = async ({ config }: Deps, tx: Db, personId: string): Promise<boolean> =>
  config.relay !== undefined &&
  (await findEmail(tx, personId))?.isConfirmed === true &&
  (await findBounce(tx, personId)) === undefined

/** Queues a push for each notification. Returns whether the person has a device that gets pushes. */
async function pushAll(
  tx: Db,
  { personId, notifications, mailed }: ToSend & { mailed: boolean },
): Promise<boolean> {
  let hasDevice = false
  for (const { kind, publicTitle: title, path, topic, numbers } of notifications)
    hasDevice = await queuePush(tx, personId, {
      kind,
      title,
      path,
      topic,
      mailedEvents: mailed ? numbers : [],
    })
  return hasDevice
}

/** Mails what no device of a person gets, when a person without a device would get it. The mail leaves out what was seen since. */
export async function mailRefused(
  deps: Deps,
  tx: Db,
  { personId, eventNumbers, inSeconds }: Events['pushRefused'][1],
): Promise<void> {
  const choices = await findChoices(tx, personId, deps.config.timeZone)
  if (!choices.byMail || !(await hasMailbox(deps, tx, personId))) return
  const events = await listEventsByNumber(tx, personId, eventNumbers)
  const notifications = await listAwayNotifications({ db: tx, loaders: deps.loaders }, personId, events)
  const due = Temporal.Instant.from(await databaseNow(tx)).add({ milliseconds: Math.ceil(inSeconds * 1000) })
  const dueAt = due.toString({ fractionalSecondDigits: 3 })
  await queueMail(deps, tx, {
    personId,
    notifications,
    attemptAt: waitUntil(choices, { dueAt, now: dueAt }) ?? dueAt,
  })
}

interface ToSend {
  personId: string
  notifications: AwayNotification[]
}

async function queueMail(
  deps: Deps,
  tx: Db,
  { personId, notifications, ...when }: ToSend & { attemptAt?: string },
): Promise<void> {
  // Nobody else counts meanwhile. In one order for everybody, so that two mails do not wait for each other.
  const causerIds = notifications.flatMap(({ causerId }) => causerId ?? []).toSorted()
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(id, ${lockKeys.awayNotifications})) from unnest(${sql.param(causerIds)}::text[]) as id`)
  const eventNumbers: number[] = []
  for (const { causerId, numbers } of notifications)
    if (causerId === null || (await countCausedMail(tx, causerId, personId))) eventNumbers.push(...numbers)
  if (eventNumbers.length > 0)
    await addMail(tx, { id: newId(deps), kind: 'notices', userId: personId, eventNumbers, ...when })
}

/** Queues one weekly digest that is due. Returns false when none is. */
async function queueNextWeekly(deps: Deps, tx: Db): Promise<boolean> {
  const userId = await findPersonOfDueWeekly(tx)
  if (userId === undefined) return false
  if ((await lockPeople(tx, [userId])).length === 0) return true
  const { timeZone } = await findChoices(tx, userId, deps.config.timeZone)
  await setNextWeekly(tx, userId, nextMonday(await databaseNow(tx), timeZone))
  if (deps.config.relay !== undefined) await addMail(tx, { id: newId(deps), kind: 'weekly', userId })
  return true
}
