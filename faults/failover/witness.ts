import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Cluster, Machine } from './cluster.ts'

export type Witness = Awaited<ReturnType<typeof startWitness>>

/** Somebody who writes at a machine itself, past HAProxy: what it acknowledges must be in the database at the end. */
export async function startWitness(cluster: Cluster) {
  await cluster.makeDatabase('witness')
  const primary = await cluster.untilWhole()
  await primary.ask('witness', 'create table writes (id uuid primary key)')
  const acknowledged = new Set<string>()
  const attempts: Promise<void>[] = []

  const write = async (connection: Client) => {
    const id = randomUUID()
    await connection.query('insert into writes values ($1)', [id])
    acknowledged.add(id)
  }
  /** A refused change, or one whose connection ends, was not acknowledged. */
  const writeOn = (connection: Client) => {
    const attempt = write(connection)
      .catch(() => {})
      .finally(() => void connection.end().catch(() => {}))
    attempts.push(attempt)
  }
  return {
    writeOn,
    /** Begins that many changes, each on a new connection, and waits for none. */
    writeAt: async (machine: Machine, count: number) => {
      for (let i = 0; i < count; i++) {
        const connection = await machine.connect('witness').catch(() => undefined)
        if (connection !== undefined) writeOn(connection)
        await delay(20)
      }
    },
    /** The acknowledged changes that a machine does not have. */
    findLost: async (machine: Machine): Promise<string[]> => {
      await Promise.all(attempts)
      const stored = new Set(
        (await machine.ask<{ id: string }>('witness', 'select id from writes')).map(({ id }) => id),
      )
      return [...acknowledged].filter((id) => !stored.has(id))
    },
  }
}
