import { and, eq, inArray, lte, sql, type SQLWrapper } from 'drizzle-orm'
import type { TurnReminder } from '#contract/inbox/notification.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Needs } from '#server/feature.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { doForEach } from '#server/platform/database/unavailable.ts'
import { isOpen, rooms } from '../schema.ts'
import { instantOf } from './table-queries.ts'

/** Further reminders wait for the next second. */
const remindersAtOnce = 200

const isDue = lte(rooms.turnRemindAt, sql`app_now()`)

/** The slow tables with a reminder that is due, and their holders. */
export const listDueReminders = (db: Db) =>
  db
    .select({ id: rooms.id, holderId: rooms.turnHolder })
    .from(rooms)
    .where(isDue)
    .orderBy(rooms.turnRemindAt)
    .limit(remindersAtOnce)

type Deps = Pick<Needs, 'database' | 'events'>

/**
 * Reminds the holders of slow tables of their turn: at its start, at half and at its last tenth. The row of the room has the
 * time of the next reminder, so neither a restart nor a second process sends one twice.
 */
export async function sendDueReminders({ database, events }: Deps, signal: AbortSignal): Promise<void> {
  await doForEach(await listDueReminders(database), signal, async ({ id, holderId }) => {
    const afterCommit: (() => void)[] = []
    await database.transaction((tx) =>
      remind({ db: tx, afterCommit: (task) => afterCommit.push(task) }, events, {
        roomId: id,
        holderId: holderId!,
      }),
    )
    for (const task of afterCommit) task()
  })
}

/** When several reminders of a turn are due, for example after a pause of the server, only the last of them is sent. */
async function remind(
  call: Parameters<typeof notifyPeople>[0],
  events: DomainEvents,
  { roomId, holderId }: { roomId: string; holderId: string },
): Promise<void> {
  const { db } = call
  // People are locked before rooms, as every change does.
  if (!(await lockPerson(db, holderId))) return
  const ms = (column: SQLWrapper) => sql<number>`(extract(epoch from ${column}) * 1000)::float8`
  const [found] = await db
    .select({
      number: rooms.turn,
      beganAt: ms(rooms.turnBeganAt),
      endsAt: ms(rooms.turnEndsAt),
      now: sql<number>`floor(extract(epoch from app_now()) * 1000)::float8`,
    })
    .from(rooms)
    .where(and(eq(rooms.id, roomId), eq(rooms.turnHolder, holderId), isDue))
    .for('no key update')
  if (found === undefined) return
  const { number, endsAt, now } = found
  const times = reminderTimes(found)
  const next = times.find(({ at }) => at > now)
  await db
    .update(rooms)
    .set({ turnRemindAt: instantOf(next?.at ?? null) })
    .where(eq(rooms.id, roomId))
  const last = times.findLast(({ at }) => at <= now)
  if (last === undefined || now >= endsAt) return
  const details = { roomId, turn: String(number), what: last.told, toldAt: instantOf(now)! }
  await notifyPeople(call, events, 'turn.reminder', [{ personId: holderId, otherPersonId: null, details }])
}

interface ReminderTime {
  told: TurnReminder['told']
  at: number
}

function reminderTimes({ beganAt, endsAt }: { beganAt: number; endsAt: number }): ReminderTime[] {
  const length = endsAt - beganAt
  return [
    { told: 'start', at: beganAt },
    { told: 'half', at: Math.ceil(beganAt + length / 2) },
    { told: 'last tenth', at: Math.ceil(endsAt - length / 10) },
  ]
}

/** The numbers and ends of the turns that a person holds now, by the id of the room. */
export async function findHeldTurns(
  db: Db,
  personId: string,
  roomIds: string[],
): Promise<Map<string, { number: number; endsAt: string }>> {
  const found = await db
    .select({
      id: rooms.id,
      number: rooms.turn,
      endsAt: sql<string>`${rooms.turnEndsAt}`.mapWith(rooms.turnEndsAt),
    })
    .from(rooms)
    .where(
      and(
        inArray(rooms.id, roomIds),
        eq(rooms.turnHolder, personId),
        isOpen,
        sql`${rooms.turnEndsAt} > app_now()`,
      ),
    )
  return new Map(found.map(({ id, ...turn }) => [id, turn]))
}
