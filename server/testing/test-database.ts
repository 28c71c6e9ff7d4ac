import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { inject } from 'vitest'
import { atDatabase, createDatabase, dropDatabase } from './databases.ts'

export interface TestDatabase {
  connection: ClientConfig
  name: string
  drop(): Promise<void>
}

/** The start of the names of a run's databases. */
export const testDatabasePrefix = (template: string) => `${template.replace('template', 'test')}_`

let count = 0

/** A fresh, migrated database of its own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('server')
  const name = `${testDatabasePrefix(inject('template'))}${count++}_${process.pid}`
  await copyTemplate(server, name)
  return { connection: atDatabase(server, name), name, drop: () => dropDatabase(server, name) }
}

const templateInUse = '55006'

async function copyTemplate(server: ClientConfig, name: string) {
  for (let triesLeft = 100; ; triesLeft--) {
    try {
      return await createDatabase(server, name, inject('template'))
    } catch (error) {
      if ((error as { code?: string }).code !== templateInUse || triesLeft === 0) throw error
      await delay(50)
    }
  }
}
