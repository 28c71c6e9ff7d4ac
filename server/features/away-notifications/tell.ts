import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import { findEmail, findSuspension, lockPeople } from '#server/features/account/index.ts'
import {
  endWait,
  findPersonToTell,
  type InboxEventLoaders,
  listUntoldEvents,
  lockInboxesOf,
  postponeTelling,
  type UntoldEvent,
} from '#server/features/inbox/index.ts'
import { addMail } from '#server/features/mails/index.ts'
import { queuePush } from '#server/features/push/index.ts'
import type { Clock } from '#server/platform/clock.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import { lockKeys } from '#server/platform/database/lock-keys.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { newId, type Random } from '#server/platform/ids.ts'
import { countCause, findChoices, findDueWeekly, setNextWeekly } from './choices.ts'
import { kindOfEvent, listAwayNotifications, type AwayNotification } from './notifications.ts'
import { nextMonday, waitUntil } from './times.ts'

export interface Deps {
  config: Config
  database: Database
  clock: Clock
  random: Random
  loaders: InboxEventLoaders
}

/** One process at a time tells people, so that nobody is told twice. The transaction is the lease. */
async function isTelling(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ is: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockKeys.awayNotifications}) as is`,
  )
  return rows[0]!.is
}

/** Tells a person what is due. Returns false when nobody is to be told now, or another process does it. */
export const tellNext = (deps: Deps): Promise<boolean> =>
  deps.database.transaction(async (tx) => {
    if (!(await isTelling(tx))) return false
    const personId = await findPersonToTell(tx)
    if (personId === undefined) return queueNextWeekly(deps, tx)
    await tell(deps, tx, personId)
    return true
  })

/** An event later than that waits for the next time. */
const eventsAtOnce = 200

async function tell(deps: Deps, tx: Db, personId: string): Promise<void> {
  const now = await databaseNow(tx)
  const choices = await findChoices(tx, personId, deps.config.timeZone)
  const waiting = await listUntoldEvents(tx, personId)
  const isDue = ({ noticeAt }: UntoldEvent) => noticeAt <= now
  const isSuspended = (await findSuspension(tx, personId)) !== undefined
  const isWanted = (event: UntoldEvent) => {
    const kind = kindOfEvent(event)
    return !isSuspended && kind !== undefined && choices[kind]
  }
  const due = waiting.filter(isDue).slice(0, eventsAtOnce)
  const untilOf = (event: UntoldEvent) =>
    isWanted(event) ? waitUntil(choices, { dueAt: event.noticeAt, now }) : undefined
  const ending = due.filter((event) => untilOf(event) === undefined)
  // Messages that are not due yet are part of the notification about their conversation.
  const told = ending.filter(isWanted)
  const laterMessages = waiting.filter(
    (event) => !isDue(event) && isWanted(event) && kindOfEvent(event) === 'messages',
  )
  const found = await listAwayNotifications({ db: tx, loaders: deps.loaders }, personId, [
    ...told,
    ...laterMessages,
  ])
  const toldNumbers = new Set(numbersOf(told))
  const notifications = found.filter(({ numbers }) => numbers.some((number) => toldNumbers.has(number)))

  // People are locked before inboxes, as every change does.
  const causerIds = notifications.flatMap(({ causerId }) => causerId ?? [])
  const lockedIds = await lockPeople(tx, [personId, ...causerIds])
  if (!lockedIds.includes(personId)) return
  await lockInboxesOf(tx, [personId])
  const ended = new Set(
    await endWait(tx, personId, [...numbersOf(ending), ...notifications.flatMap(({ numbers }) => numbers)]),
  )
  for (const [until, events] of Map.groupBy(due, untilOf))
    if (until !== undefined) await postponeTelling(tx, personId, { numbers: numbersOf(events), until })
  // A page of the person may have got an event, before its inbox was locked.
  const left = notifications.flatMap((notification) => {
    const numbers = notification.numbers.filter((number) => ended.has(number))
    return numbers.length === 0 ||
      (notification.causerId !== null && !lockedIds.includes(notification.causerId))
      ? []
      : { ...notification, numbers }
  })
  const mailed = choices.byMail && (await hasMailbox(deps, tx, personId))
  // A digest is one mail, and pushes come one by one.
  const isPushed = !(mailed && choices.digestHour !== null) && (await pushAll(tx, personId, left))
  if (mailed && !isPushed) await queueMail(deps, tx, { personId, notifications: left })
}

const numbersOf = (events: UntoldEvent[]): number[] => events.map(({ number }) => number)

const hasMailbox = async ({ config }: Deps, tx: Db, personId: string): Promise<boolean> =>
  config.relay !== undefined && (await findEmail(tx, personId))?.isConfirmed === true

/** Returns whether the person has a device that gets pushes. */
async function pushAll(tx: Db, personId: string, notifications: AwayNotification[]): Promise<boolean> {
  let hasDevice = false
  for (const { kind, publicTitle: title, path, topic } of notifications)
    hasDevice = await queuePush(tx, personId, { kind, title, path, topic })
  return hasDevice
}

async function queueMail(
  deps: Deps,
  tx: Db,
  { personId, notifications }: { personId: string; notifications: AwayNotification[] },
): Promise<void> {
  const eventNumbers: number[] = []
  for (const { causerId, numbers } of notifications)
    if (causerId === null || (await countCause(tx, causerId, personId))) eventNumbers.push(...numbers)
  if (eventNumbers.length > 0)
    await addMail(tx, { id: newId(deps), kind: 'notices', userId: personId, eventNumbers })
}

/** Queues a weekly digest that is due. Returns false when none is. */
async function queueNextWeekly(deps: Deps, tx: Db): Promise<boolean> {
  const due = await findDueWeekly(tx)
  if (due === undefined) return false
  const { userId } = due
  if ((await lockPeople(tx, [userId])).length === 0) return true
  const { timeZone } = await findChoices(tx, userId, deps.config.timeZone)
  await setNextWeekly(tx, userId, nextMonday(await databaseNow(tx), timeZone))
  if (deps.config.relay !== undefined) await addMail(tx, { id: newId(deps), kind: 'weekly', userId })
  return true
}
