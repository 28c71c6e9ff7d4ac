import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { register } from '#contract/account/endpoints.ts'
import { Manifest } from '#contract/archive/manifest.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  environment,
  removeDataFolder,
  type RunningServer,
  startServer,
} from '../scripts/testing/running-server.ts'
import { copyUsedFolder } from '../scripts/testing/used-folder.ts'
import { examine } from './examine.ts'
import { makeRoom } from './people.ts'
import { expect, shareSession, test } from './test.ts'

/** Stands in every text that is none of Ana's archive. */
const foreign = 'foreign0f9a'
const diaryKey = 'a1'.repeat(32)

/** A server of its own on a data folder that a command can use too, with a story that has ended. */
async function startWithStory() {
  const dataDir = await copyUsedFolder()
  const settings = { DIARY_KEY: diaryKey, TEST_CLOCK: '2025-06-10T12:00:00Z' }
  let server: RunningServer = await startServer({ dataDir, settings })
  const join = async (firstName: string) => {
    const client = new HttpClient(() => server.url)
    const input = { email: `${firstName}@example.org`, password: 'secret1', firstName, lastName: 'Lima' }
    return { client, user: await client.does(register, { input }) }
  }
  const [ana, ben, dora] = [await join('ana'), await join('ben'), await join('dora')]
  await writeAll(ana, ben, dora)
  await server.end('SIGTERM')
  const later = { ...settings, TEST_CLOCK: '2025-06-10T12:20:00Z' }
  server = await startServer({ dataDir, settings: later })
  const stop = async () => {
    await server.end('SIGTERM')
    await removeDataFolder(dataDir)
  }
  const url = server.url
  const end = () => server.end('SIGTERM')
  return { url, dataDir, settings: later, ana, end, stop }
}

type Joined = { client: HttpClient; user: { id: string } }

async function writeAll(ana: Joined, ben: Joined, dora: Joined) {
  const befriend = (one: Joined, other: Joined) =>
    one.client.does(addFriend, { input: { friendUserId: other.user.id } })
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
    [ana, dora],
    [dora, ana],
  ] as const)
    await befriend(one, other)
  for (const [{ client }, content] of [
    [ana, '---\nGrüße, 🌒 and a line end\n'],
    [ben, foreign],
  ] as const) {
    for (let day = 1; day <= 9; day++)
      await client.does(saveDiaryEntry, { input: { date: `2025-06-0${day}`, content: `${content}${day}` } })
    await client.does(saveCalendarNote, { input: { date: '2025-06-10', note: content } })
    await client.does(createDraft, { input: { content } })
  }
  const post = ({ client }: Joined, content: string) =>
    client.does(submitPost, { input: { content, authorName: 'Ana Lima', type: 'premium' } })
  const { id, createdAt: base } = await post(ana, 'An early lamp')
  await ana.client.does(changePost, { params: { id }, input: { content: 'A late lamp', base } })
  await ana.client.does(takeBackPost, { params: { id: (await post(ana, 'A lamp put out')).id } })
  await post(ben, foreign)
  const tell = async (writers: Joined[], content: string) => {
    const { id: room } = await makeRoom(ben, { duration: 15 })
    for (const { client } of writers) {
      await client.does(joinRoom, { params: { id: room } })
      await client.does(sendPassage, { params: { id: room }, input: { content } })
    }
  }
  await tell([ben, ana], 'It sailed at night.')
  await tell([ben], foreign)
  const write = (from: Joined, to: Joined, content: string) =>
    from.client.does(sendMessage, { input: { receiverId: to.user.id, messageType: 'text', content } })
  await write(ben, ana, 'Good evening')
  await write(ana, ben, 'Good night')
  await write(dora, ana, foreign)
  await ana.client.does(blockPerson, { input: { userId: dora.user.id } })
}

function readArchive(bytes: Uint8Array) {
  const files = unzipSync(bytes)
  const { 'manifest.json': manifest, ...others } = files
  return { files, others, manifest: Manifest.parse(JSON.parse(Buffer.from(manifest!).toString())) }
}

const exported = (page: Page) => page.getByText(/^Exported\. The file has \d+ files\.$/)

test('a person downloads everything of theirs, each file as the manifest says, and the command makes the same files [OWN-06 OWN-23]', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const { url, dataDir, settings, ana, end, stop } = await startWithStory()
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-export-'))
  try {
    await shareSession(page, ana)
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
    await page.goto(`${url}/settings#part-your-words`)
    const arriving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export everything' }).click()
    const download = await arriving
    await expect(exported(page)).toBeVisible()
    expect(download.suggestedFilename()).toMatch(/^zimmer-\d{4}-\d\d-\d\d\.zip$/)

    const { files, others, manifest } = readArchive(await readFile(await download.path()))
    expect(manifest.person).toEqual({ id: ana.user.id, name: 'ana Lima', email: 'ana@example.org' })
    expect(manifest.files).toEqual(
      Object.entries(others).map(([path, bytes]) => ({
        path,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })),
    )
    for (const [path, bytes] of Object.entries(files))
      expect(Buffer.from(bytes).includes(foreign), path).toBe(false)
    const text = Buffer.from(files['diary/2025-06-03.md']!).toString()
    expect(text).toMatch(/^---\ndate: 2025-06-03\n[^]*\n---\n---\nGrüße, 🌒 and a line end\n3$/)
    expect(Object.keys(files).filter((path) => path.endsWith('story.epub'))).toHaveLength(1)

    // Beside the server, and without it. An open page would miss the server.
    await page.goto('about:blank')
    for (const file of [join(folder, 'one.zip'), join(folder, 'two.zip')]) {
      const { stdout } = await promisify(execFile)(
        'node',
        ['server/zimmer.ts', 'export', 'Ana@example.org', file],
        { cwd: join(import.meta.dirname, '..'), env: environment(dataDir, settings) },
      )
      expect(stdout).toMatch(/^Everything of Ana@example\.org is in .*\.zip: \d+ files\.$/m)
      expect(readArchive(await readFile(file)).manifest.files).toEqual(manifest.files)
      await end()
    }
  } finally {
    await rm(folder, { recursive: true })
    await stop()
  }
})

test('a browser that can ask where to save writes the ZIP there, and leaves nothing there when the export fails [OWN-06]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to export/)
  const ana = await app.signUp()
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Rain' } })
  await shareSession(page, ana)
  // The private file system of the page has the same handles as the disk, and asks nobody.
  await page.addInitScript(() => {
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    Object.assign(globalThis, { showSaveFilePicker })
  })
  await page.goto('/settings#part-your-words')
  const savedFiles = () =>
    page.evaluate(async () => {
      const found: number[][] = []
      for await (const handle of (await navigator.storage.getDirectory()).values())
        found.push([
          ...new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer()),
        ])
      return found
    })
  const button = page.getByRole('button', { name: 'Export everything' })

  await page.route('**/api/calendar*', (route) =>
    route.fulfill({ status: 400, json: { code: 'InvalidInput', error: 'That cannot be read.' } }),
  )
  await button.click()
  await expect(page.getByText('That cannot be read. No file was saved.')).toBeVisible()
  expect(await savedFiles()).toEqual([])

  await page.unroute('**/api/calendar*')
  await button.click()
  await expect(exported(page)).toBeVisible()
  const [bytes, ...more] = await savedFiles()
  expect(more).toEqual([])
  expect(Object.keys(readArchive(Uint8Array.from(bytes!)).files)).toContain('diary/2025-06-10.md')
})

test('the export can be started, followed and cancelled by keyboard, at any width [OWN-06]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await shareSession(page, await app.signUp())
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  await page.goto('/settings#part-your-words')
  await page.route('**/api/calendar*', () => {})
  await page.getByRole('button', { name: 'Export everything' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('progressbar', { name: 'Calendar: 0 files' })).toBeVisible()
  await examine(page, 'an export', page.getByRole('region', { name: 'Your words' }))
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Export everything' })).toBeFocused()
})
