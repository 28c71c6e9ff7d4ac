import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Connection, Postmaster } from './cluster.ts'
import { isAlive, startOf } from './processes.ts'

/** Ends a Postgres in any container. Waits for the end of one in this container. */
export async function endPostmaster({ pid, start, isHere, connection }: Postmaster): Promise<void> {
  if (!isHere) return endElsewhere(connection)
  if (isAlive(pid) && startOf(pid) === start) await endProcess(pid)
}

const fastMs = 5000
const immediateMs = 1000

/** SIGINT ends the sessions and writes everything. If that takes too long, the next start recovers the rest. */
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

/** Asks Postgres over its socket to signal itself, because its process id is valid only in its own container. */
async function endElsewhere(connection: Connection) {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`copy (select) to program 'kill -INT "$(head -n 1 postmaster.pid)"'`)
  } catch {
    // Postgres may end before it answers. The lock shows whether it has ended.
  } finally {
    await client.end().catch(() => {})
  }
}
