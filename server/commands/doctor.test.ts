import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { coverFiles, covers } from '#server/features/covers/schema.ts'
import { openVault } from '#server/features/day-texts/index.ts'
import { allFileKinds } from '#server/features.ts'
import { createLog } from '#server/log.ts'
import { uploadsOf } from '#server/platform/backup/upload-names.ts'
import { keepDailyBackup } from '#server/platform/backup/daily.ts'
import { keptFreeBytes } from '#server/platform/disk.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'
import { zoneFact } from '#server/platform/time-zone.ts'
import { urlOf } from '#server/testing/databases.ts'
import { launchRedis, redisIsMissing } from '#server/testing/redis.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { parseRelay } from '#server/platform/mail/relay.ts'
import { startRelay } from '#server/testing/smtp.ts'
import { openidClient, openProvider } from '#server/testing/openid-provider.ts'
import { checks, examine, findingOfAddress, findingOfDisk, findingOfPage } from './doctor.ts'
import type { Place } from './place.ts'

const key = 'a'.repeat(64)

async function start() {
  const t = await startTestApp()
  const dataDir = await ownFolder()
  const place = (settings: Partial<Place['config']> = {}): Place => ({
    config: { ...t.config, dataDir, ...settings },
    connection: t.connection,
    database: t.db,
    clock: t.clock,
    random: systemRandom,
  })
  return { ...t, dataDir, place }
}

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('an operator whose DIARY_KEY is missing or wrong reads that the diary is locked, and one with the right key reads that it is right [S44]', async () => {
  const { db, place } = await start()
  expect(await checks['diary key']!(place())).toEqual(['fine', 'Texts are stored as they are.'])
  await openVault({ database: db, config: { diaryKey: key }, random: systemRandom })
  expect((await checks['diary key']!(place({ diaryKey: key })))[0]).toBe('fine')
  for (const diaryKey of [undefined, 'b'.repeat(64)])
    expect(await checks['diary key']!(place({ diaryKey }))).toEqual([
      'wrong',
      expect.stringContaining('are locked'),
    ])
})

test('an operator reads that there is no admin, and how to make one [S17]', async () => {
  const { admin, place } = await start()
  expect(await checks.admin!(place())).toEqual(['wrong', expect.stringContaining('admin grant EMAIL')])
  await admin()
  expect(await checks.admin!(place())).toEqual(['fine', 'There is an admin.'])
})

/** Makes the daily backup of 2025-06-11, as days are counted in Berlin. Returns its file. */
async function makeDailyBackup({ db, clock, config, dataDir }: Awaited<ReturnType<typeof start>>) {
  clock.set('2025-06-10T23:00:00Z')
  await db.insert(instanceFacts).values({ name: zoneFact, value: config.timeZone })
  const log = createLog('silent')
  const ours = { ...config, dataDir }
  const uploads = openUploads(ours)
  await keepDailyBackup({ config: ours, uploads, database: db, clock, kinds: allFileKinds, log })
  return join(dataDir, 'backups', '2025-06-11.tar.zst')
}

test('an operator reads how old the last daily backup is by the clock of the database, whatever the clock of the host says [R19 R20]', async () => {
  const t = await start()
  const { clock, place } = t
  await makeDailyBackup(t)
  const made = ['fine', 'The last daily backup was made at 2025-06-10T23:00:00.000Z.']
  const now = async () => {
    const [state, sentence] = await checks.backup!(place())
    return [state, sentence.replace(/:00\.\d{3}Z/, ':00.000Z')]
  }
  expect(await now()).toEqual(made)
  clock.step({ host: 300 * 3_600_000 })
  expect(await now()).toEqual(made)
  clock.step({ database: 27 * 3_600_000 })
  expect(await now()).toEqual(['warning', expect.stringContaining('is 27 hours old')])
})

test('an operator reads that there is no daily backup: of a new installation, and of one that should have one [R19]', async () => {
  const { clock, person, place } = await start()
  await person()
  clock.advance(25 * 3_600_000)
  expect(await checks.backup!(place())).toEqual(['warning', expect.stringContaining('makes one within ten')])
  clock.advance(2 * 3_600_000)
  expect(await checks.backup!(place())).toEqual(['warning', expect.stringContaining('for more than a day')])
})

test('an operator reads that the file of the last daily backup is empty or missing [R19 R29]', async () => {
  const t = await start()
  const file = await makeDailyBackup(t)
  const isGone = ['wrong', expect.stringContaining(`no usable file ${file}`)]
  await writeFile(file, '')
  expect(await checks.backup!(t.place())).toEqual(isGone)
  await rm(file)
  expect(await checks.backup!(t.place())).toEqual(isGone)
})

test('an operator reads that the last daily backup lacks files that the database names [R29]', async () => {
  const t = await start()
  await addCover(t)
  await makeDailyBackup(t)
  expect(await checks.backup!(t.place())).toEqual(['wrong', expect.stringContaining('lacks 1 of the files')])
})

/** Adds the row of a cover without its file. Returns the path of the file. */
async function addCover({ db, clock, dataDir }: Awaited<ReturnType<typeof start>>) {
  const id = '00000000-0000-7000-8000-000000000000'
  const cover = { id, uploadedAt: clock.now().toISOString(), bytes: 1, width: 1, height: 1, postId: null }
  await db.insert(covers).values(cover)
  return join(uploadsOf(dataDir), `${coverFiles.kind}/${id}${coverFiles.extension}`)
}

test('an operator reads which uploaded files are missing [R19]', async () => {
  const t = await start()
  const { dataDir, place } = t
  expect(await checks.uploads!(place())).toEqual([
    'fine',
    expect.stringMatching(/^All 0 uploaded files are in the folder /),
  ])
  const path = await addCover(t)
  expect(await checks.uploads!(place())).toEqual([
    'wrong',
    expect.stringContaining(`such as covers/${basename(path)}`),
  ])
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'a cover')
  expect(await checks.uploads!(place())).toEqual([
    'fine',
    expect.stringMatching(/^All 1 uploaded files are in the folder /),
  ])
  await rm(uploadsOf(dataDir), { recursive: true })
  await writeFile(uploadsOf(dataDir), 'a file')
  expect((await checks.uploads!(place()))[0]).toBe('wrong')
})

test('an operator reads that Redis is not set, does not answer, or works', async (context) => {
  const { place } = await start()
  expect(await checks.redis!(place())).toEqual(['fine', 'None is set.'])
  expect(await checks.redis!(place({ redisUrl: 'redis://127.0.0.1:1' }))).toEqual([
    'wrong',
    expect.stringMatching(/^Redis does not answer \(.*ECONNREFUSED.*\)\. Start it, or correct REDIS_URL\.$/),
  ])
  if (redisIsMissing) context.skip('redis-server is not installed')
  const redis = await launchRedis()
  onTestFinished(() => redis.stop())
  expect((await checks.redis!(place({ redisUrl: redis.url })))[0]).toBe('fine')
})

test('an operator reads that PgBouncer is not set, does not answer, or is not set up', async () => {
  const { connection, place } = await start()
  expect(await checks.pooler!(place())).toEqual(['fine', 'None is set.'])
  expect(await checks.pooler!(place({ databasePoolUrl: 'postgres://ana@127.0.0.1:1/zimmer' }))).toEqual([
    'wrong',
    expect.stringContaining('DATABASE_POOL_URL'),
  ])
  expect(await checks.pooler!(place({ databasePoolUrl: urlOf(connection).href }))).toEqual([
    'wrong',
    expect.stringContaining('do not have the setting'),
  ])
})

test('an operator reads which public address and proxy do not fit', () => {
  const stateOf = (settings: Record<string, string>) => findingOfAddress(readConfig(settings))[0]
  expect(stateOf({})).toBe('fine')
  expect(stateOf({ HOST: '0.0.0.0' })).toBe('wrong')
  expect(stateOf({ TRUST_PROXY: '10.0.0.7' })).toBe('wrong')
  expect(stateOf({ PUBLIC_ORIGIN: 'https://example.org' })).toBe('warning')
  expect(stateOf({ PUBLIC_ORIGIN: 'http://example.org' })).toBe('warning')
  expect(stateOf({ PUBLIC_ORIGIN: 'http://localhost:3000' })).toBe('fine')
  for (const host of ['localhost', '127.0.0.1', '127.0.0.53', '[::1]']) {
    expect([host, stateOf({ PUBLIC_ORIGIN: `http://${host}`, HOST: '::1' })]).toEqual([host, 'fine'])
    expect([host, stateOf({ PUBLIC_ORIGIN: `http://${host}`, HOST: '0.0.0.0' })]).toEqual([host, 'wrong'])
  }
  expect(stateOf({ PUBLIC_ORIGIN: 'http://localhost', HOST: '127.example.org' })).toBe('wrong')
  expect(stateOf({ PUBLIC_ORIGIN: 'http://127.example.org' })).toBe('warning')
  expect(stateOf({ PUBLIC_ORIGIN: 'https://example.org', TRUST_PROXY: '10.0.0.7' })).toBe('fine')
})

test('an operator reads that the disk is nearly full [R15]', async () => {
  const { place } = await start()
  expect((await checks.disk!(place()))[1]).toMatch(/^\d+ MB are free\./)
  expect(findingOfDisk(4 * keptFreeBytes)[0]).toBe('fine')
  expect(findingOfDisk(4 * keptFreeBytes - 1)[0]).toBe('warning')
  expect(findingOfDisk(keptFreeBytes - 1)[0]).toBe('wrong')
})

test('an operator reads that the page or its renderer is not built, or that the renderer does not render within a limit', async () => {
  const dist = await ownFolder()
  expect(await findingOfPage(dist)).toEqual([
    'wrong',
    expect.stringContaining('web/index.html and render/render.js'),
  ])
  const build = async (file: string, text: string) => {
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await writeFile(join(dist, file), text)
  }
  await build('web/index.html', '')
  for (const [renderer, reason, limitMs] of [
    ['', 'exit code 1'],
    ['export const render = async () => process.abort()', 'SIGABRT'],
    ["export const render = async () => { throw new Error('A part is missing.') }", 'A part is missing.'],
    ['export const render = () => new Promise(() => {})', 'within 0.5 s', 500],
    ['for (;;);', 'within 0.5 s', 500],
  ] as const) {
    await build('render/render.js', renderer)
    const finding = await findingOfPage(dist, limitMs)
    expect([renderer, ...finding]).toEqual([renderer, 'wrong', expect.stringContaining(reason)])
  }
  await build('render/render.js', "export const render = async () => '<main></main>'")
  expect((await findingOfPage(dist))[0]).toBe('fine')
})

test('an operator reads one line for each check, in which a part that is wrong is named', async () => {
  const { place } = await start()
  const report = await reportOf(place())
  expect(report.map((line) => line.slice(9, 23).trim())).toEqual(Object.keys(checks))
  expect(report.find((line) => line.includes('admin'))).toMatch(/^wrong {4}admin {11}There is no admin/)
})

test('an operator reads that a check could not run, and what the other checks found', async () => {
  const { place } = await start()
  const report = await reportOf({ ...place(), database: null as never })
  const stateOf = (check: string) =>
    report
      .find((line) => line.slice(9).startsWith(check))
      ?.slice(0, 7)
      .trim()
  expect(Object.keys(checks).map((check) => stateOf(check) !== undefined)).not.toContain(false)
  expect([stateOf('database'), stateOf('backup')]).toEqual(['wrong', 'wrong'])
  expect([stateOf('redis'), stateOf('public address')]).toEqual(['fine', 'fine'])
})

/** The lines of a report in which something is wrong. */
const reportOf = (place: Place) =>
  examine(place).then(
    () => expect.unreachable('Nothing is wrong.'),
    (error: Error) => error.message.split('\n'),
  )

test('an operator reads whether the provider of the sign-in can be reached [INST-08]', async () => {
  const { place } = await start()
  const check = checks['sign-in by']!
  expect(await check(place())).toEqual(['fine', 'None is set.'])
  const provider = await openProvider({ origin: 'https://zimmer.example' })
  const settings = {
    openidIssuer: provider.issuer,
    openidClientId: openidClient.id,
    openidClientSecret: openidClient.secret,
    openidName: 'The Library',
    publicOrigin: 'https://zimmer.example',
  }
  expect((await check(place(settings)))[0]).toBe('fine')
  await provider.close()
  expect(await check(place(settings))).toEqual([
    'wrong',
    expect.stringMatching(/The Library \(.*ECONNREFUSED/),
  ])
})

test('an operator reads whether the mail server takes the name and the password, and no mail is sent [REACH-06]', async () => {
  const { place } = await start()
  const check = checks['mail server']!
  expect(await check(place())).toEqual(['fine', 'None is set.'])
  const begun: string[] = []
  const relay = await startRelay({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      done(null, username === 'ana' && password === 'p:w' ? { user: username } : {}),
    onMailFrom: ({ address }, _session, done) => {
      begun.push(address)
      done()
    },
  })
  const at = (address: string) =>
    check(place({ relay: parseRelay(address), mailFrom: 'desk@zimmer.example' }))
  const withPassword = (password: string) => relay.url.replace('//', `//ana:${password}@`)
  expect(await at(withPassword('p%3Aw'))).toEqual([
    'fine',
    'The mail server answers and takes the name and the password. No mail was sent.',
  ])
  const [kind, sentence] = await at(withPassword('another-one'))
  expect([kind, sentence]).toEqual([
    'wrong',
    expect.stringMatching(/^Mails cannot be sent \(.*535.*SMTP_URL/),
  ])
  expect(sentence).not.toContain('another-one')
  expect([relay.received, begun]).toEqual([[], []])
  const open = await startRelay()
  expect(await at(open.url)).toEqual(['fine', 'The mail server answers. No mail was sent.'])
  // As if it were another machine: it offers no TLS.
  const remote = place({
    relay: { ...parseRelay(open.url)!, isLocal: false },
    mailFrom: 'desk@zimmer.example',
  })
  expect((await check(remote))[0]).toBe('wrong')
  expect(await at('smtp://127.0.0.1:1')).toEqual(['wrong', expect.stringContaining('ECONNREFUSED')])
})
