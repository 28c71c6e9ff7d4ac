import type { Client } from 'pg'

/** The keys of the advisory locks that this program takes in the database. */
export const lockKeys = {
  migrations: 8_120_026,
  timeZone: 8_120_027,
  dailyBackup: 8_120_028,
  password: 8_120_029,
  setupCode: 8_120_030,
  awayNotifications: 8_120_031,
} as const

/** Takes one of these locks until the connection ends. Returns false when another connection has it. */
export async function tryLock(client: Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>('select pg_try_advisory_lock($1) as is', [key])
  return rows[0]!.is
}
