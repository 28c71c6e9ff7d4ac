import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isAlive } from '#server/platform/database/processes.ts'
import { ServerDidNotStart, startServer } from '../scripts/testing/running-server.ts'
import { startInstance } from './instance.ts'

const withinMs = 10_000

test.each([
  ['Ctrl-C in its terminal', 'SIGINT', 'terminal'],
  ['SIGTERM to npm', 'SIGTERM', 'process'],
] as const)('%s ends npm start, the server and its database within 10 s [R17]', async (_name, signal, to) => {
  const instance = await startInstance({}, ['npm', 'start'])
  const server = await serverOf(instance.dataDir)
  const postmaster = (await instance.postmaster())!
  const deadline = Date.now() + withinMs
  await instance.server.end(signal, to)
  while (isAlive(server) && Date.now() < deadline) await delay(20)
  expect({ server: isAlive(server), postmaster: isAlive(postmaster) }).toEqual({
    server: false,
    postmaster: false,
  })
  expect(await instance.isOwned()).toBe(false)
})

test('a second server on the same data folder is refused, and the first one continues to serve [R4]', async () => {
  const { dataDir, server } = await startInstance()
  const second = await startServer({ dataDir }).catch((error: unknown) => error)
  expect(second).toBeInstanceOf(ServerDidNotStart)
  expect(String(second)).toContain('is in use by another server')
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
})

/** Finds the process id of the server, which is not that of npm. */
async function serverOf(dataDir: string) {
  return (JSON.parse(await readFile(join(dataDir, 'server.lock'), 'utf8')) as { pid: number }).pid
}
