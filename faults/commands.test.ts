import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { getMe, login, register } from '#contract/account/endpoints.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { aSealedStory } from '#contract/rooms/credit/testing.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'
import { commands } from '#server/commands/commands.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { openBucket } from './bucket.ts'
import { zimmer } from './command-line.ts'
import { startInstance, startSharedInstance } from './instance.ts'

const password = 'secret1'
/** What each command gets on standard input. */
const newPassword = 'lamps and ink 2'
const key = 'a'.repeat(64)
const newKey = 'b'.repeat(64)
/** The text of a folded passage. */
const folded = 'canary0f9a'

const say = (...words: string[]) => zimmer('/nowhere', words)

test('an operator who asks for help gets all commands, and for each its use, settings, examples and exit codes', async () => {
  const [all, short] = await Promise.all([say('help'), say('--help')])
  expect(all).toEqual(short)
  expect(all.code).toBe(0)
  expect(
    commands.filter(({ name, does }) => !new RegExp(`^  ${name} .*${does}$`, 'm').test(all.said)),
  ).toEqual([])
  const backup = await say('help', 'backup')
  expect(backup).toEqual(await say('backup', '--help'))
  expect(backup).toMatchObject({ code: 0, complaint: '' })
  for (const part of [
    /^npm run zimmer -- backup FILE$/m,
    /^Beside a running server: yes/m,
    /^ {2}DATA_DIR /m,
    /^ {2}npm run zimmer -- backup \/var\/backups\/zimmer\.tar\.zst$/m,
    /^Exit codes: 0 done, 1 refused or failed, 2 wrong use\.$/m,
  ])
    expect(backup.said).toMatch(part)
})

test.each([
  [['bakup', 'x'], 'There is no command "bakup x". Did you mean "backup"?'],
  [['help', 'restor'], 'There is no command "restor". Did you mean "restore"?'],
  [
    ['backup', '--force', 'file'],
    'There is no option "--force". "npm run zimmer -- help COMMAND" explains a command.',
  ],
  [['import', 'ana@example.org', 'file', '--apply=yes'], 'There is no option "--apply=yes".'],
  [[], 'npm run zimmer -- COMMAND'],
])('an operator who types %j reads how it is used, and nothing runs', async (words, sentence) => {
  const { code, said, complaint } = await say(...words)
  expect([code, said]).toEqual([2, ''])
  expect(complaint).toContain(sentence)
})

interface Beside {
  /** A folder for the files that a command writes or reads. */
  folder: string
  /** The data folder of the server. */
  dataDir: string
  /** The address of Ana. */
  email: string
  ana: HttpClient
  /** Signs in as Ana in another browser, with the password of the registration unless another is given. */
  signIn: (password?: string) => Promise<Response>
  run: (...words: string[]) => ReturnType<typeof zimmer>
  /** Reads and writes as Ana. */
  works: () => Promise<number[]>
}

/** What each command does beside a running server, and what people see of it. */
const besideServer: Record<string, (place: Beside) => Promise<void>> = {
  'admin grant': async ({ email, ana, signIn, run }) => {
    expect(await run('admin', 'grant', email)).toMatchObject({ code: 0 })
    expect((await ana.tries(getMe)).status).toBe(401)
    expect(await (await signIn(newPassword)).json()).toMatchObject({ isAdmin: true })
  },
  'admin revoke': async ({ email, signIn, run }) => {
    await run('admin', 'grant', email)
    expect(await run('admin', 'revoke', email)).toMatchObject({ code: 0 })
    expect(await (await signIn(newPassword)).json()).toMatchObject({ isAdmin: false })
  },
  'moderator grant': async ({ email, ana, signIn, run }) => {
    expect(await run('moderator', 'grant', email)).toMatchObject({ code: 0 })
    expect([(await ana.tries(getMe)).status, (await signIn()).status]).toEqual([401, 403])
    expect(await run('password', email)).toMatchObject({ code: 0 })
    expect(await (await signIn(newPassword)).json()).toMatchObject({ isModerator: true })
  },
  'moderator revoke': async ({ email, signIn, run }) => {
    await run('moderator', 'grant', email)
    expect(await run('moderator', 'revoke', email)).toMatchObject({ code: 0 })
    expect(await (await signIn()).json()).toMatchObject({ isModerator: false })
  },
  'user delete': async ({ email, ana, signIn, run }) => {
    expect(await run('user', 'delete', email)).toMatchObject({ code: 0 })
    expect([(await ana.tries(getMe)).status, (await signIn()).status]).toEqual([401, 401])
  },
  password: async ({ email, ana, signIn, run }) => {
    expect(await run('password', email)).toMatchObject({ code: 0 })
    expect([(await ana.tries(getMe)).status, (await signIn()).status]).toEqual([401, 401])
  },
  export: async ({ folder, email, run, works }) => {
    const file = join(folder, 'ana.zip')
    expect(await run('export', email, file)).toMatchObject({ code: 0, complaint: '' })
    const files = Object.values(unzipSync(await readFile(file)))
    expect(files.length).toBeGreaterThan(0)
    expect(files.some((each) => Buffer.from(each).includes(folded))).toBe(false)
    const complaint = `There is a file ${file} already: name one that is not there.\n`
    expect(await run('export', email, file)).toEqual({ code: 1, said: '', complaint })
    expect(await works()).toEqual([200, 200])
  },
  import: async ({ folder, email, ana, run }) => {
    const file = join(folder, 'day-one.zip')
    const entry = { creationDate: '2019-06-10T06:15:00Z', timeZone: 'Europe/Berlin', text: 'Rain' }
    const journal = JSON.stringify({ metadata: { version: '1.0' }, entries: [{ uuid: 'A', ...entry }] })
    await writeFile(file, zipOf([{ name: 'Journal.json', data: journal }]))
    const stored = async () =>
      ((await (await ana.tries(getDiaryEntry, { params: { day: '2019-06-10' } })).json()) as DiaryEntry)
        .content
    const said = (counts: string) => ({ code: 0, complaint: '', said: `${counts}\n` })
    const isNew = said('new 1, same 0, conflict 0, not understood 0, skipped 0')
    expect([await run('import', email, file), await stored()]).toEqual([isNew, ''])
    expect([await run('import', email, file, '--apply'), await stored()]).toEqual([isNew, 'Rain'])
    expect(await run('import', email, file)).toEqual(
      said('new 0, same 1, conflict 0, not understood 0, skipped 0'),
    )
  },
  backup: async ({ folder, run, works }) => {
    const file = join(folder, 'now.tar.zst')
    expect(await run('backup', file)).toMatchObject({ code: 0 })
    expect((await stat(file)).size).toBeGreaterThan(0)
    expect(await works()).toEqual([200, 200])
  },
  restore: async ({ folder, run, works }) => {
    const file = join(folder, 'now.tar.zst')
    await run('backup', file)
    expect(await run('restore', file)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('in use'),
    })
    expect(await works()).toEqual([200, 200])
  },
  demo: async ({ email, ana, run }) => {
    await run('user', 'delete', email)
    expect(await run('demo')).toMatchObject({ code: 0, complaint: '' })
    const shown = async () =>
      (await (await ana.tries(getFeedDay, { params: { offset: '0' } })).json()) as unknown[]
    await expect.poll(async () => (await shown()).length, { timeout: 20_000 }).toBeGreaterThan(0)
  },
  'diary-key': async ({ run, works }) => {
    expect(await works()).toEqual([200, 200])
    expect(await run('diary-key')).toMatchObject({ code: 0 })
    expect(await works()).toEqual([503, 503])
  },
  'seal-key new': async ({ run, works }) => {
    expect(await run('seal-key', 'new')).toMatchObject({ code: 0, said: expect.stringContaining('the key') })
    expect(await works()).toEqual([200, 200])
  },
  verify: async ({ dataDir, folder, run }) => {
    const { seal, receipt } = aSealedStory()
    const [file, other] = [join(folder, 'seal.json'), join(folder, 'receipt.json')]
    await writeFile(file, JSON.stringify(seal))
    await writeFile(other, JSON.stringify(receipt))
    expect(await run('verify', file, other)).toMatchObject({
      code: 0,
      said: expect.stringContaining('Verified'),
    })
    await writeFile(file, JSON.stringify({ ...seal, title: 'The long day' }))
    const complaint = expect.stringContaining('Not verified')
    expect(await run('verify', file)).toMatchObject({ code: 1, complaint })
    // It reads no settings, so that a wrong one does not matter.
    expect(await zimmer(dataDir, ['verify', file], { PORT: 'x' })).toMatchObject({ code: 1, complaint })
  },
  'uploads to-s3': async ({ dataDir, works }) => {
    const bucket = await openBucket()
    const done = await zimmer(dataDir, ['uploads', 'to-s3'], { ...settings, ...bucket.settings })
    expect(done).toMatchObject({ code: 0, said: expect.stringContaining('Nothing was deleted.') })
    expect(await works()).toEqual([200, 200])
  },
  'uploads to-folder': async ({ dataDir, works }) => {
    const bucket = await openBucket()
    const done = await zimmer(dataDir, ['uploads', 'to-folder'], { ...settings, ...bucket.settings })
    expect(done).toMatchObject({ code: 0, said: expect.stringContaining('Nothing was deleted.') })
    expect(await works()).toEqual([200, 200])
  },
  'time-zone': async ({ run, works }) => {
    const complaint = expect.stringContaining('Nothing was changed.')
    expect(await run('time-zone', 'Asia/Tokyo')).toMatchObject({ code: 1, complaint })
    expect(await works()).toEqual([200, 200])
  },
  migrate: async ({ run, works }) => {
    expect(await run('migrate')).toMatchObject({ code: 0 })
    expect(await works()).toEqual([200, 200])
  },
  doctor: async ({ run, works }) => {
    expect(await run('doctor')).toMatchObject({ code: 0 })
    expect(await works()).toEqual([200, 200])
  },
}

const settings = { DIARY_KEY: key }
/** `demo` needs an empty instance, and after `diary-key` the server cannot read the diaries. */
const needsOwnServer = ['demo', 'diary-key']
let shared: Awaited<ReturnType<typeof startSharedInstance>>
/** An open room in which a folded passage stands. */
let params: { id: string }
beforeAll(async () => {
  shared = await startSharedInstance(settings)
  const writer = shared.client()
  await writer.does(register, { input: { email: 'writer@example.org', password } })
  const room = { name: 'Folded', description: 'A story', isPublic: true, duration: 120, invitedFriends: [] }
  params = await writer.does(createRoom, {
    input: { ...room, duration: 120, turns: 'round', isFolded: true },
  })
  await writer.does(sendPassage, { params, input: { content: folded, turn: 1 } })
  return shared.remove
})

test.each(commands.map(({ name }) => name))(
  'beside a running server `%s` does what its help says and prints no folded passage, and the server goes on [TURN-15]',
  async (name) => {
    const instance = needsOwnServer.includes(name) ? await startInstance(settings) : shared
    const email = `${name.replace(' ', '-')}@example.org`
    const ana = instance.client()
    // Without a name: nobody can take the name of an admin.
    await ana.does(register, { input: { email, password } })
    if (instance === shared) await ana.does(joinRoom, { params })
    const entry = { date: '2025-06-10', content: 'Lamps and ink' }
    const printed: string[] = []
    await besideServer[name]!({
      folder: await ownFolder(),
      dataDir: instance.dataDir,
      email,
      ana,
      signIn: (typed = password) => instance.client().tries(login, { input: { email, password: typed } }),
      run: async (...words) => {
        const result = await zimmer(
          instance.dataDir,
          words,
          { ...settings, DIARY_KEY_NEW: newKey },
          [],
          newPassword,
        )
        printed.push(result.said, result.complaint)
        return result
      },
      works: async () => [
        (await ana.tries(saveDiaryEntry, { input: entry })).status,
        (await ana.tries(getDiaryEntry, { params: { day: entry.date } })).status,
      ],
    })
    expect(printed.join()).not.toContain(folded)
    expect((await fetch(`${instance.server.url}/health/ready`)).status).toBe(200)
  },
)

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-commands-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
