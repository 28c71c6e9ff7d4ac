import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataFolderInUse, ownDataFolder, shareDataFolder } from './owner-lock.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'zimmer-lock-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const lock = () => readFile(join(dataDir, 'server.lock'), 'utf8')
const refusalOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

/** Starts another process, which locks the folder and lives until it is killed. */
async function another(work: string, environment: Record<string, string> = {}) {
  const module = new URL('./owner-lock.ts', import.meta.url).href
  const program = `
    import { ownDataFolder, shareDataFolder } from '${module}'
    const dataDir = process.argv[1]
    await ${work}.then((folder) => console.log(folder === 'served' ? folder : 'owner'), (error) => console.log(error.name, error.message))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    env: { ...process.env, ...environment },
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { pid: child.pid, said: said.toString().trim(), kill }
}

const anotherServer = () => another('ownDataFolder(dataDir)')
const anotherCommand = () => another('shareDataFolder(dataDir)')

test('a second server on the same data folder is refused with the process id of the first [R4]', async () => {
  const other = await anotherServer()
  const before = await lock()
  const refusal = await refusalOf(ownDataFolder(dataDir))
  expect(refusal).toBeInstanceOf(DataFolderInUse)
  expect(String(refusal)).toContain(`in use by another server (process ${other.pid} on `)
  expect(await lock()).toBe(before)
  await other.kill()
})

test('a process that owns the folder is refused a second time [R23]', async () => {
  const first = await ownDataFolder(dataDir)
  expect(await refusalOf(ownDataFolder(dataDir))).toBeInstanceOf(DataFolderInUse)
  await first.release()
  await (await ownDataFolder(dataDir)).release()
})

test('a server takes over the lock of a killed server, whatever process id is in the file [R2 R4 R23]', async () => {
  await (await anotherServer()).kill()
  await writeFile(
    join(dataDir, 'server.lock'),
    JSON.stringify({ ...JSON.parse(await lock()), pid: process.ppid }),
  )
  const { release } = await ownDataFolder(dataDir)
  expect(JSON.parse(await lock())).toMatchObject({ pid: process.pid })
  await release()
  expect(await lock()).toBe('')
})

test('a server takes over a damaged lock file [R4]', async () => {
  await writeFile(join(dataDir, 'server.lock'), '{"pid":')
  const { release } = await ownDataFolder(dataDir)
  expect(JSON.parse(await lock())).toMatchObject({ pid: process.pid })
  await release()
})

test('of several servers that find the lock of a killed server at once, one gets the folder [R4]', async () => {
  await (await anotherServer()).kill()
  const servers = await Promise.all([anotherServer(), anotherServer(), anotherServer()])
  const said = servers.map((server) => server.said.split(' ')[0]).toSorted()
  expect(said).toEqual(['DataFolderInUse', 'DataFolderInUse', 'owner'])
  await Promise.all(servers.map(({ kill }) => kill()))
})

test('a server waits for commands, and takes the folder when the last one ends [R23]', async () => {
  const commands = [await anotherCommand(), await anotherCommand()]
  expect(commands.map(({ said }) => said)).toEqual(['owner', 'owner'])
  const waits: string[] = []
  const waiting = Promise.withResolvers<void>()
  const server = ownDataFolder(dataDir, {
    onWait: (text) => {
      waits.push(text)
      waiting.resolve()
    },
  })
  await waiting.promise
  await Promise.all(commands.map(({ kill }) => kill()))
  await (await server).release()
  expect(waits).toEqual([
    expect.stringMatching(/^Waiting for a command \(process \d+ on .*\) to end its work in /),
  ])
})

test('a server that waits for a command ends when it is told to [R17]', async () => {
  const command = await anotherCommand()
  const ending = new AbortController()
  const server = ownDataFolder(dataDir, { signal: ending.signal, onWait: () => ending.abort() })
  await expect(server).rejects.toThrow('aborted')
  await command.kill()
})

test('a command finds the folder in use by a server while the server runs, and gets it afterwards [R23]', async () => {
  const server = await anotherServer()
  expect(await shareDataFolder(dataDir)).toBe('served')
  await server.kill()
  const folder = await shareDataFolder(dataDir)
  if (folder === 'served') throw new Error('The dead server still has the folder.')
  let closings = 0
  await folder.leave(async () => void closings++, false)
  expect(closings).toBe(1)
})

test('a command that started the database waits for the other commands before it stops it [R23]', async () => {
  const [first, second] = [await shareDataFolder(dataDir), await shareDataFolder(dataDir)]
  if (first === 'served' || second === 'served') throw new Error('No server is there.')
  const closed: string[] = []
  const leaving = first.leave(async () => void closed.push('by the first'), true)
  // Later commands come and go without a part in the end of Postgres.
  const third = await shareDataFolder(dataDir)
  if (third === 'served') throw new Error('No server is there.')
  await third.leave(async () => void closed.push('by the third'), false)
  expect(closed).toEqual([])
  await second.leave(async () => {}, false)
  await leaving
  expect(closed).toEqual(['by the first'])
})

test('without the program flock nothing starts, and a message says why [R23]', async () => {
  const server = await another('ownDataFolder(dataDir)', { PATH: '/nowhere' })
  expect(server.said).toMatch(
    /^NoFileLock The file .*server\.lock cannot be locked \(the program flock .* is missing\)/,
  )
  await server.kill()
})

/** Mounts a read-only disk, because root may write everywhere else. */
async function readOnly() {
  await chmod(dataDir, 0o555)
  if (process.getuid?.() !== 0) return () => chmod(dataDir, 0o755)
  if (spawnSync('mount', ['--bind', '-o', 'ro', dataDir, dataDir]).status !== 0) return undefined
  return async () => void spawnSync('umount', [dataDir])
}

test('in a read-only folder nothing starts, and a message says why [R23]', async (context) => {
  const undo = await readOnly()
  if (undo === undefined) return context.skip('A disk may not be mounted here.')
  const refusal = await refusalOf(ownDataFolder(dataDir))
  await undo()
  expect(String(refusal)).toBe(
    `DataFolderUnusable: The setting DATA_DIR is not usable: the disk of ${dataDir} can only be read.`,
  )
  expect(await readdir(dataDir)).toEqual([])
})
