import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Connection, Postmaster } from './cluster.ts'
import { isAlive, startOf } from './processes.ts'

/** Ends a Postgres in whichever container it runs, and waits for the end of one that runs here. */
export async function endPostmaster({ pid, start, isHere, connection }: Postmaster): Promise<void> {
  if (!isHere) return endElsewhere(connection)
  if (isAlive(pid) && startOf(pid) === start) await endProcess(pid)
}

const fastMs = 5000
const immediateMs = 1000

/** SIGINT ends sessions and writes all; should that take too long, the rest is left to the next start. */
export async function endProcess(pid: number): Promise<void> {
  const steps = [
    ['SIGINT', fastMs],
    ['SIGQUIT', immediateMs],
    ['SIGKILL', immediateMs],
  ] as const
  for (const [signal, withinMs] of steps) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (const deadline = Date.now() + withinMs; Date.now() < deadline && isAlive(pid);) await delay(20)
  }
}

/** Postgres itself sends the signal, for it knows its own number. */
async function endElsewhere(connection: Connection) {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`copy (select) to program 'kill -INT "$(head -n 1 postmaster.pid)"'`)
  } catch {
    // The end may come before the answer. Whether it came shows in the lock.
  } finally {
    await client.end().catch(() => {})
  }
}
