import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataFolderInUse, isDataFolderOwned, ownDataFolder } from './owner-lock.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'zimmer-lock-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const lock = () => readFile(join(dataDir, 'server.lock'), 'utf8')
const leaveLock = (owner: unknown) => writeFile(join(dataDir, 'server.lock'), JSON.stringify(owner))

/** Another server: owns the folder and lives until it is killed. */
async function anotherServer() {
  const module = new URL('./owner-lock.ts', import.meta.url).href
  const program = `
    import { ownDataFolder } from '${module}'
    await ownDataFolder(process.argv[1]).then(() => console.log('owner'), (error) => console.log(error.name))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir])
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { pid: child.pid, said: said.toString().trim(), kill }
}

test('a second server on the same data folder is refused and told who has it [R4]', async () => {
  const other = await anotherServer()
  const before = await lock()
  const refusal = await ownDataFolder(dataDir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DataFolderInUse)
  expect(String(refusal)).toContain(`in use by another server (process ${other.pid})`)
  expect(await lock()).toBe(before)
  expect(await isDataFolderOwned(dataDir)).toBe(true)
  await other.kill()
})

test('the lock of a killed server is taken over [R2 R4]', async () => {
  await (await anotherServer()).kill()
  expect(await isDataFolderOwned(dataDir)).toBe(false)
  const { release } = await ownDataFolder(dataDir)
  expect(JSON.parse(await lock())).toMatchObject({ pid: process.pid })
  await release()
  expect(await readdir(dataDir)).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a number that has passed to another process does not keep the folder [R4]',
  async () => {
    await leaveLock({ pid: process.ppid, start: 'an earlier process' })
    expect(await isDataFolderOwned(dataDir)).toBe(false)
    const { release } = await ownDataFolder(dataDir)
    await release()
  },
)

test('a damaged lock is taken over [R4]', async () => {
  await writeFile(join(dataDir, 'server.lock'), '{"pid":')
  const { release } = await ownDataFolder(dataDir)
  expect(await isDataFolderOwned(dataDir)).toBe(true)
  await release()
})

test('of several servers that find a dead lock at once, one gets the folder [R4]', async () => {
  await leaveLock({ pid: 2 ** 22 + 1 })
  const servers = await Promise.all([anotherServer(), anotherServer(), anotherServer()])
  expect(servers.map(({ said }) => said).toSorted()).toEqual(['DataFolderInUse', 'DataFolderInUse', 'owner'])
  await Promise.all(servers.map(({ kill }) => kill()))
})
