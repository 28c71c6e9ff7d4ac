import { copyFile, mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { getMe, login, register } from '#contract/account/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { makeDataFolder, removeDataFolder, startServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { startDatabase, startInstance, storedPosts } from './instance.ts'
import { startWriters } from './writers.ts'

const anasKey = { email: 'ana@example.org', password: 'secret1' }

test('a backup made under a serving instance is restored into an empty place, which then serves it all but the sessions [R19 S23]', async () => {
  const instance = await startInstance()
  const ana = instance.client()
  await ana.does(register, { input: { ...anasKey, firstName: 'Ana' } })
  await mkdir(join(instance.dataDir, 'uploads'))
  await writeFile(join(instance.dataDir, 'uploads/magazine'), 'a whole magazine')
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')

  const writers = await startWriters(instance.client)
  await writers.untilMore(40)
  const made = await zimmer(instance.dataDir, ['backup', file])
  expect(made).toEqual({ code: 0, said: `The backup is in ${file}.\n`, complaint: '' })
  await writers.untilMore(10)
  const acknowledged = new Map(await writers.finish())
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const dataDir = join(folder, 'restored')
  onTestFinished(() => removeDataFolder(dataDir))
  expect(await zimmer(dataDir, ['restore', file])).toMatchObject({ code: 0, complaint: '' })
  const server = await startServer({ dataDir })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const there = () => server.url
  // Who had signed in there signs in again.
  expect((await new HttpClient(there, ana).tries(getMe)).status).toBe(401)
  expect((await new HttpClient(there).tries(login, { input: anasKey })).status).toBe(200)
  const restored = await storedPosts(new HttpClient(there))
  expect(restored.length).toBeGreaterThanOrEqual(40)
  expect(restored.length).toBeLessThan(acknowledged.size)
  for (const [content, id] of restored) expect(acknowledged.get(content)).toBe(id)
  expect(await readdir(join(dataDir, 'uploads'))).toEqual(['magazine'])
})

test('restore refuses in one sentence a damaged file, and a place that is in use or holds data [R19]', async () => {
  const instance = await startInstance()
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')
  expect((await zimmer(instance.dataDir, ['backup', file])).code).toBe(0)

  const damaged = join(folder, 'damaged.tar.zst')
  await copyFile(file, damaged)
  const bytes = await open(damaged, 'r+')
  await bytes.write('x', 500)
  await bytes.close()
  const elsewhere = join(folder, 'elsewhere')
  expect(await zimmer(elsewhere, ['restore', damaged])).toEqual({
    code: 1,
    said: '',
    complaint: 'damaged.tar.zst is damaged or no backup: nothing was restored.\n',
  })
  expect(await readdir(folder)).toEqual(['backup.tar.zst', 'damaged.tar.zst'])

  const refused = { code: 1, said: '', complaint: expect.stringMatching(/^[^\n]+\.\n$/) }
  expect(await zimmer(instance.dataDir, ['restore', file])).toEqual(refused)
  await instance.server.end('SIGTERM')
  expect(await zimmer(instance.dataDir, ['restore', file])).toEqual({
    ...refused,
    complaint: 'The database holds data: a backup is restored into an empty place only.\n',
  })
  expect(await instance.postmaster()).toBeUndefined()
  expect(await zimmer(instance.dataDir, ['backup', file])).toEqual(refused)
  expect(await zimmer(elsewhere, ['backup', join(folder, 'other')])).toEqual(refused)
})

test('a backup moves an instance from its own database to a Postgres server [R19]', async () => {
  const instance = await startInstance()
  const ana = instance.client()
  await ana.does(register, { input: { ...anasKey, firstName: 'Ana' } })
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')
  await zimmer(instance.dataDir, ['backup', file])
  const { url } = await startDatabase()
  const dataDir = join(folder, 'files')
  await mkdir(dataDir)
  expect(await zimmer(dataDir, ['restore', file], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  const server = await startServer({ dataDir, settings: { DATABASE_URL: url } })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  expect((await new HttpClient(() => server.url).tries(login, { input: anasKey })).status).toBe(200)
})

async function ownFolder() {
  const folder = await makeDataFolder()
  onTestFinished(() => removeDataFolder(folder))
  return folder
}
