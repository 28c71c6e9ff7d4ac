import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  ServerDidNotStart,
  makeDataFolder,
  removeDataFolder,
  startServer,
  timeZone,
} from '../scripts/testing/running-server.ts'
import type { RunningServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { makeUsedFolder, rounds } from './instance.ts'
import { loseNothing } from './writers.ts'

/**
 * Starts a program with process ids and System V memory of its own, as in a container. All its processes end with the
 * first one, and with the tests.
 */
const container: [string, ...string[]] = [
  'setpriv',
  '--pdeathsig=KILL',
  'unshare',
  '--pid',
  '--ipc',
  '--fork',
  '--kill-child',
  '--mount-proc',
]
const mayUnshare = spawnSync(container[0], [...container.slice(1), 'true']).status === 0
const skipped = 'The tests of containers are skipped: unshare is not permitted here.'
// In CI, root has the permission unless the machine is set up wrongly. Then these tests must not be skipped silently.
const hasUnshare = spawnSync('unshare', ['--version']).status === 0
if (!mayUnshare && process.env.CI && process.getuid?.() === 0 && hasUnshare) throw new Error(skipped)
if (!mayUnshare) console.warn(skipped)

const readyWithinMs = 10_000

/** A data folder that several containers share. */
async function sharedFolder({ isEmpty = false } = {}) {
  const dataDir = await (isEmpty ? makeDataFolder() : makeUsedFolder())
  const started: RunningServer[] = []
  onTestFinished(async () => {
    await Promise.all(started.map((server) => server.end('SIGKILL', 'terminal')))
    await removeDataFolder(dataDir)
  })
  const start = async (command: [string, ...string[]] = [...container, 'node', 'server/main.ts']) => {
    const server = await startServer({ dataDir, command })
    started.push(server)
    return server
  }
  return {
    dataDir,
    start,
    /** Starts a server that must fail, and returns its message. */
    refusal: async () => {
      const error: unknown = await start().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ServerDidNotStart)
      return (error as Error).message
    },
    /** Starts a container that lives on when its server is killed. */
    startUnderInit: () => start([...container, 'sh', '-c', 'node server/main.ts & wait; sleep 600 & wait']),
    postmasters: () => postmastersOf(dataDir),
  }
}

/** The postmasters of all containers, by the process ids of the host. */
function postmastersOf(dataDir: string) {
  const all = processes().filter(({ command }) => command.includes(`postgres\0-D\0${dataDir}/`))
  // A process that the postmaster has just forked still has the same command line.
  const pids = new Set(all.map(({ pid }) => pid))
  return all.filter(({ parent }) => !pids.has(parent))
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return [{ pid: Number(name), parent: Number(parent), state, command }]
      } catch {
        // The process has ended meanwhile.
        return []
      }
    })
    .filter(({ state }) => state !== 'Z')
}

/** The process id on the host of the server in a container. */
function serverIn(server: RunningServer) {
  const all = processes()
  const inside = new Set([server.process.pid!])
  for (const { pid, parent } of all.toSorted((one, other) => one.pid - other.pid))
    if (inside.has(parent)) inside.add(pid)
  return all.find(({ pid, command }) => inside.has(pid) && command === 'node\0server/main.ts\0')!.pid
}

/** Runs a command of the operator in a container of its own. */
const zimmerInContainer = (dataDir: string, ...words: string[]) =>
  zimmer(dataDir, words, { APP_TIME_ZONE: timeZone }, container, 'a lamp of my own')

const inUse = /^The data folder .* is in use by another server/m

test.runIf(mayUnshare)(
  'of two containers that start at once on one data folder one serves and the other is refused [R4 R23]',
  async () => {
    const folder = await sharedFolder({ isEmpty: true })
    // The second round is on a folder that has a database.
    for (let round = 0; round < Math.max(2, rounds); round++) {
      const outcomes = await Promise.allSettled([folder.start(), folder.start()])
      const serving = outcomes.filter((outcome) => outcome.status === 'fulfilled')
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
      expect(serving).toHaveLength(1)
      expect(refused[0]?.reason).toMatchObject({ message: expect.stringMatching(inUse) })
      expect(folder.postmasters()).toHaveLength(1)
      await serving[0]!.value.end('SIGTERM', 'terminal')
    }
  },
)

test.runIf(mayUnshare)(
  'a container that starts beside a serving one is refused, and no acknowledged post is lost [R1 R4 R23]',
  async () => {
    const folder = await sharedFolder()
    let server = await folder.start()
    const client = () => new HttpClient(() => server.url)
    await loseNothing(
      client,
      async () => {
        expect(await folder.refusal()).toMatch(inUse)
        expect(folder.postmasters()).toHaveLength(1)
      },
      async () => {
        await server.end('SIGTERM', 'terminal')
        server = await folder.start()
      },
    )
  },
)

test.runIf(mayUnshare)(
  'after a container is killed the next one is ready within 10 s, and no acknowledged post is lost [R2 R23]',
  async () => {
    const folder = await sharedFolder()
    let server = await folder.start()
    const client = () => new HttpClient(() => server.url)
    await loseNothing(client, async () => {
      await server.end('SIGKILL', 'terminal')
      server = await folder.start()
      expect(server.readyMs).toBeLessThan(readyWithinMs)
      expect(folder.postmasters()).toHaveLength(1)
    })
  },
)

test.runIf(mayUnshare)(
  'a suspended server keeps its data folder, and serves again when it continues [R23]',
  async () => {
    const folder = await sharedFolder()
    const server = await folder.start()
    const pid = serverIn(server)
    for (let round = 0; round < rounds; round++) {
      process.kill(pid, 'SIGSTOP')
      expect(await folder.refusal()).toMatch(inUse)
      expect(folder.postmasters()).toHaveLength(1)
      process.kill(pid, 'SIGCONT')
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
    }
  },
)

test.runIf(mayUnshare)(
  'commands in other containers use the database of the running server, and no post is lost [R19 R23]',
  async () => {
    const folder = await sharedFolder()
    let server = await folder.start()
    const client = () => new HttpClient(() => server.url)
    const bea = { email: 'bea@example.org', password: 'secret1', firstName: 'Bea' }
    await client().does(register, { input: bea })
    const backups = await mkdtemp(join(tmpdir(), 'zimmer-backups-'))
    onTestFinished(() => rm(backups, { recursive: true }))
    await loseNothing(
      client,
      async (round) => {
        const [postmaster] = folder.postmasters()
        const answers = await Promise.all([
          zimmerInContainer(folder.dataDir, 'doctor'),
          zimmerInContainer(folder.dataDir, 'admin', 'grant', 'bea@example.org'),
          zimmerInContainer(folder.dataDir, 'backup', join(backups, `${round}.tar.zst`)),
        ])
        for (const answer of answers) expect(answer).toMatchObject({ code: 0 })
        expect(folder.postmasters()).toEqual([postmaster])
      },
      async () => {
        await server.end('SIGTERM', 'terminal')
        server = await folder.start()
      },
    )
  },
  // Three commands at once are slow on a loaded machine.
  60_000 + 120_000 * rounds,
)

test.runIf(mayUnshare)(
  'commands that start together without a server share one database and leave none behind [R23]',
  async () => {
    const folder = await sharedFolder()
    for (let round = 0; round < rounds; round++) {
      const most = watchPostmasters(folder.dataDir)
      const answers = await Promise.all([1, 2, 3].map(() => zimmerInContainer(folder.dataDir, 'doctor')))
      for (const answer of answers) expect(answer).toMatchObject({ code: 0 })
      expect(most.stop()).toBe(1)
      expect(folder.postmasters()).toEqual([])
    }
  },
)

test.runIf(mayUnshare)(
  'a server that starts during a command waits for the command, and then runs the only database [R23]',
  async () => {
    const folder = await sharedFolder()
    for (let round = 0; round < rounds; round++) {
      const most = watchPostmasters(folder.dataDir)
      const command = zimmerInContainer(folder.dataDir, 'doctor')
      await expect
        .poll(() => folder.postmasters(), {
          interval: 5,
          timeout: 60_000,
          message: 'The command starts no database.',
        })
        .not.toEqual([])
      const server = await folder.start()
      expect(await command).toMatchObject({ code: 0 })
      expect(most.stop()).toBe(1)
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
      await server.end('SIGTERM', 'terminal')
    }
  },
)

/** The highest number of postmasters at one moment. */
function watchPostmasters(dataDir: string) {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, postmastersOf(dataDir).length)
  }, 20)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}

test.runIf(mayUnshare)(
  'a database that a killed server left in another container is ended before the next one starts [R4 R23]',
  async () => {
    const folder = await sharedFolder()
    let server = await folder.startUnderInit()
    const client = () => new HttpClient(() => server.url)
    await loseNothing(client, async () => {
      process.kill(serverIn(server), 'SIGKILL')
      const most = watchPostmasters(folder.dataDir)
      server = await folder.startUnderInit()
      expect(server.readyMs).toBeLessThan(readyWithinMs)
      expect(most.stop()).toBe(1)
    })
  },
)

/** A folder whose server was killed and whose database is suspended in another container. */
async function withSilentDatabase() {
  const folder = await sharedFolder()
  const server = await folder.startUnderInit()
  const suspended = folder.postmasters()[0]!.pid
  process.kill(suspended, 'SIGSTOP')
  process.kill(serverIn(server), 'SIGKILL')
  return { ...folder, suspended }
}

test.runIf(mayUnshare)(
  'nothing starts while a database in another container does not answer, and the message says why [R23]',
  async () => {
    // Server and command wait 15 s for an answer: each on a folder of its own, at the same time.
    const folders = [await withSilentDatabase(), await withSilentDatabase()] as const
    const [message, answer] = await Promise.all([
      folders[0].refusal(),
      zimmerInContainer(folders[1].dataDir, 'doctor'),
    ])
    expect(message).toMatch(/^A Postgres of the data folder .* runs, but does not answer/m)
    expect(answer).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/^A Postgres of the data folder .* runs, but does not answer/),
    })
    for (const folder of folders) {
      expect(folder.postmasters()).toMatchObject([{ pid: folder.suspended }])
      process.kill(folder.suspended, 'SIGCONT')
      expect((await fetch(`${(await folder.start()).url}/health/ready`)).status).toBe(200)
      expect(folder.postmasters()).toHaveLength(1)
    }
  },
)

test.runIf(mayUnshare)(
  'a start succeeds when another process of the new container has the process id of the dead postmaster [R2 R23]',
  async () => {
    const folder = await sharedFolder()
    const server = await folder.start()
    await server.end('SIGKILL', 'terminal')
    const file = join(folder.dataDir, 'postgres/postmaster.pid')
    const lines = (await readFile(file, 'utf8')).split('\n')
    const { uid } = await stat(file)
    // The shell is process 1. The sleep is process 2 and runs under the account of Postgres.
    await writeFile(file, ['2', ...lines.slice(1)].join('\n'))
    const stranger = `setpriv --reuid=${uid} --clear-groups sleep 600`
    const next = await folder.start([...container, 'sh', '-c', `${stranger} & node server/main.ts; exit`])
    expect((await fetch(`${next.url}/health/ready`)).status).toBe(200)
  },
)
