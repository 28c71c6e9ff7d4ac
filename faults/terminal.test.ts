import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { login, register } from '#contract/account/endpoints.ts'
import { isAlive } from '#server/platform/database/processes.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { freePort } from '../scripts/testing/ports.ts'
import { environment, removeDataFolder, startServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { isOwned, makeTestFolder, makeUsedFolder, startInstance } from './instance.ts'

const withinMs = 10_000
/** Runs a command at a terminal, which is closed when the program `script` ends. */
const atTerminal = (command: string): [string, ...string[]] => ['script', '-qec', command, '/dev/null']

test.skipIf(process.platform !== 'linux')(
  'at a terminal an operator reads sentences, and closing it ends the server and its database within 10 s [LOOP-32 R17]',
  async () => {
    const instance = await startInstance({ LOG_LEVEL: 'info' }, atTerminal('node server/main.ts'))
    expect(instance.server.output()).toMatch(/^[\d-]+ [\d:]+ Postgres runs in \S+ \(process \d+\)\r?$/m)
    expect(instance.server.output()).not.toContain('{"level"')
    const lock = await readFile(join(instance.dataDir, 'server.lock'), 'utf8')
    const { pid: server } = JSON.parse(lock) as { pid: number }
    const postmaster = (await instance.postmaster())!
    await instance.server.end('SIGKILL')
    const deadline = Date.now() + withinMs
    while (isAlive(server) && Date.now() < deadline) await delay(20)
    expect([isAlive(server), isAlive(postmaster), await isOwned(instance.dataDir)]).toEqual([
      false,
      false,
      false,
    ])
  },
)

test('a server whose log nobody reads any more ends in order with its database [LOOP-32 R17]', async () => {
  const instance = await startInstance({ LOG_LEVEL: 'debug' })
  const postmaster = (await instance.postmaster())!
  const { process: child, url } = instance.server
  const ended = once(child, 'exit')
  child.stdout!.destroy()
  // Each answer is a line of this log. The server may end before it sends the answer.
  await fetch(url + '/health/ready').catch(() => {})
  expect(await ended).toEqual([1, null])
  expect([isAlive(postmaster), await instance.isOwned()]).toEqual([false, false])
})

test.skipIf(process.platform !== 'linux')(
  'a server whose log finds no space on the disk continues to serve [LOOP-32]',
  async () => {
    const dataDir = await makeUsedFolder()
    const port = await freePort()
    const log = await open('/dev/full', 'w')
    const settings = { LOG_LEVEL: 'debug', PORT: String(port) }
    const child = spawn('node', ['server/main.ts'], {
      cwd: join(import.meta.dirname, '..'),
      env: environment(dataDir, settings),
      stdio: ['ignore', log.fd, 'ignore'],
    })
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill()
      await ended
      await log.close()
      await removeDataFolder(dataDir)
    })
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady, { timeout: 30_000 }).toBe(true)
    // The answer above was a line of this log.
    expect([await isReady(), child.exitCode]).toEqual([true, null])
  },
)

test.each([
  ['auto', /^\{"level":30,.*"msg":"Postgres runs in /m],
  ['json', /^\{"level":30,.*"msg":"Postgres runs in /m],
  ['sentences', /^[\d-]+ [\d:]+ Postgres runs in /m],
])('a log that is no terminal has the format of LOG_FORMAT=%s [LOOP-32]', async (format, line) => {
  const { server } = await startInstance({ LOG_LEVEL: 'info', LOG_FORMAT: format })
  expect(server.output()).toMatch(line)
  expect(server.output()).toMatch(/^ready http:\/\/\S+$/m)
})

const noAdmin = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }

test('a start without an admin says how to become one, and the command that it names makes one; a start with an admin does not say it [LOOP-32]', async () => {
  const dataDir = await makeTestFolder()
  const start = async () => {
    const server = await startServer({ dataDir, settings: noAdmin, command: ['npm', 'start'] })
    onTestFinished(() => void server.end('SIGKILL', 'terminal'))
    return server
  }
  const server = await start()
  const words = /npm run zimmer -- (.*?) EMAIL\\?"/.exec(server.output())![1]!
  expect(server.output()).toContain('ADMIN_EMAIL and ADMIN_PASSWORD')
  const client = new HttpClient(() => server.url)
  const ana = { email: 'ana@example.org', password: 'lamps and ink 1' }
  await client.does(register, { input: { ...ana, firstName: 'Ana' } })
  const granted = await zimmer(dataDir, [...words.split(' '), ana.email], {}, [], 'a lamp of my own\n')
  expect(granted.said).toContain('ana@example.org is an admin now')
  const input = { ...ana, password: 'a lamp of my own' }
  expect((await client.does(login, { input })).isAdmin).toBe(true)
  await server.end('SIGTERM')
  expect((await start()).output()).not.toContain('admin grant')
})
