import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'

/** What a device shows. The words are the same for everybody: never a name, a title or a text of a person (S63). */
export interface Push {
  kind: string
  /** At most 100 characters, such as 'It is your turn in a room'. */
  title: string
  /** What a press opens: an address of our own pages, from its first slash on. */
  path: string
  /** The thing that the push is about. A newer push takes the place of an older one with the same topic. */
  topic: string
  /** The events of the inbox of the person that a mail tells of when the push service does not take the push. */
  mailedEvents?: readonly number[]
}

/** Also the time for which the push service keeps a push for a device that is switched off. */
export const keptHours = 12

/**
 * Queues a push for each device of a person, in the transaction of its cause, and returns whether the person has a device.
 * A call for several people goes through them in the order of their ids, so that two calls do not wait for each other.
 */
export async function queuePush(
  db: Db,
  personId: string,
  { kind, title, path, topic, mailedEvents = [] }: Push,
): Promise<boolean> {
  if (title.length > 100 || !/^\/(?!\/)/.test(path)) throw new TypeError('This is no push.')
  const { rowCount } = await db.execute(sql`
    insert into pushes (device_id, kind, title, path, topic, event_numbers, attempt_at, give_up_at)
    select push_devices.id, ${kind}::text, ${title}::text, ${path}::text, ${topic}::text, ${sql.param([...mailedEvents])}::int[],
      moment.at, moment.at + make_interval(hours => ${keptHours})
    from push_devices, (select app_now() as at offset 0) moment
    where push_devices.user_id = ${personId}
    order by push_devices.id
    on conflict (device_id, topic) do update set
      event_numbers = pushes.event_numbers || excluded.event_numbers,
      id = excluded.id, kind = excluded.kind, title = excluded.title, path = excluded.path,
      attempt_at = excluded.attempt_at, attempts = 0, give_up_at = excluded.give_up_at`)
  return rowCount !== 0
}
