import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import { connectClient } from './database/connection.ts'
import { lockKeys, tryLock } from './database/lock-keys.ts'
import { OperatorError } from './operator-error.ts'

/** The message says why the time zone cannot be used. */
export class TimeZoneRefused extends OperatorError {}

/** Names of rows in instance_facts: the zone in use, and the target of an unfinished change. */
export const zoneFact = 'time-zone'
const nextZoneFact = 'next-time-zone'

const againMs = 1000

const timeZoneCommand = (zone: string) => `npm run zimmer -- time-zone ${zone}`

interface Holder {
  connection: ClientConfig
  /** The zone of the settings; the stored one when left out. */
  wanted: string | undefined
  /** Called once when the zone was changed while the connection was lost. The process must end then. */
  onChanged?: (error: TimeZoneRefused) => void
}

/**
 * Returns the stored zone, and stores the wanted one at the first start (R27). A shared advisory lock keeps commands
 * from changing the zone until `release`.
 */
export async function holdTimeZone({ connection, wanted, onChanged }: Holder) {
  const releasing = new AbortController()
  let client = await connectClient(connection, 'zimmer time zone')
  const name = await lockZone(client, wanted).catch(async (error: unknown) => {
    await client.end()
    throw error
  })
  watch(client)
  return {
    name,
    release: async () => {
      releasing.abort()
      await client.end().catch(() => {})
    },
  }

  function watch(held: Client) {
    held.once('end', () => void holdAgain())
  }

  async function holdAgain() {
    while (!releasing.signal.aborted) {
      try {
        client = await connectClient(connection, 'zimmer time zone')
        if (releasing.signal.aborted) return void (await client.end())
        await lockZone(client, name)
        return watch(client)
      } catch (error) {
        await client.end().catch(() => {})
        if (error instanceof TimeZoneRefused) return onChanged?.(error)
      }
      await delay(againMs, undefined, { ref: false })
    }
  }
}

async function lockZone(client: Client, wanted: string | undefined): Promise<string> {
  const { rows: locks } = await client.query<{ is: boolean }>(
    'select pg_try_advisory_lock_shared($1) as is',
    [lockKeys.timeZone],
  )
  if (!locks[0]!.is) throw new TimeZoneRefused('The time zone is being changed: start again when it is done.')
  const stored = wanted ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  await client.query('insert into instance_facts (name, value) values ($1, $2) on conflict do nothing', [
    zoneFact,
    stored,
  ])
  const [zone, next] = await Promise.all([findFact(client, zoneFact), findFact(client, nextZoneFact)])
  if (next !== undefined)
    throw new TimeZoneRefused(
      `The change of the time zone to ${next} was cut short: finish it by ${timeZoneCommand(next)}.`,
    )
  if (wanted !== undefined && !isSameZone(wanted, zone!))
    throw new TimeZoneRefused(
      `APP_TIME_ZONE is ${wanted}, and the days of this installation are counted in ${zone}: leave APP_TIME_ZONE out, or change the days by ${timeZoneCommand(wanted)}.`,
    )
  return zone!
}

/** A zone has several names: `equals` compares the zone, not the offset. */
export const isSameZone = (one: string, other: string) => {
  const now = Temporal.Now.zonedDateTimeISO(one)
  return now.equals(now.withTimeZone(other))
}

async function findFact(client: Client, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>('select value from instance_facts where name = $1', [
    name,
  ])
  return rows[0]?.value
}

/**
 * Changes the zone while no server runs, and computes the stored days again. After an interrupted change some days
 * belong to the old zone and some to the new one: no server starts until the change is repeated.
 */
export async function changeTimeZone(
  connection: ClientConfig,
  zone: string,
  countDaysAnew: () => Promise<void>,
): Promise<void> {
  const client = await connectClient(connection, 'zimmer time zone')
  try {
    if (!(await tryLock(client, lockKeys.timeZone)))
      throw new TimeZoneRefused(
        'A server or a command works with this database: stop it first. Nothing was changed.',
      )
    await client.query(
      'insert into instance_facts (name, value) values ($1, $2) on conflict (name) do update set value = $2',
      [nextZoneFact, zone],
    )
    await countDaysAnew()
    await client.query(
      `with done as (delete from instance_facts where name = $1)
       insert into instance_facts (name, value) values ($2, $3) on conflict (name) do update set value = $3`,
      [nextZoneFact, zoneFact, zone],
    )
  } finally {
    await client.end()
  }
}
