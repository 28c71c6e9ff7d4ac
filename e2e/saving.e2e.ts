import { spawnSync } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { EpubCheck } from '@likecoin/epubcheck-ts'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { postPath } from '#contract/feed/post.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { examineAsShown } from './examine.ts'
import { test } from './finished.ts'
import { asVisitor, expect, type Person, signIn } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const hasPdftotext = spawnSync('pdftotext', ['-v']).status === 0

/** Chooses a format in the menu, and answers the file that the browser has saved. */
async function saveAs(page: Page, format: string) {
  await page.getByRole('button', { name: 'Save as…' }).click()
  const arriving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: format }).click()
  const download = await arriving
  const path = await download.path()
  return { name: download.suggestedFilename(), path, bytes: new Uint8Array(await readFile(path)) }
}

const textOf = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes)

/** The lines of a PDF. */
function linesOf({ path, bytes }: { path: string; bytes: Uint8Array }): string[] {
  expect(strFromU8(bytes.subarray(0, 5))).toBe('%PDF-')
  const { stdout } = spawnSync('pdftotext', ['-enc', 'UTF-8', path, '-'], { encoding: 'utf8' })
  return stdout.match(/\S.*/g) ?? []
}

/** The files of a book, in which the checker of books finds no fault. */
async function filesOf({ bytes }: { bytes: Uint8Array }) {
  expect((await EpubCheck.validate(bytes, { includeUsage: true })).messages).toEqual([])
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]))
}

/** Opens a saved page from the disk, as a browser without a network does. */
async function openSaved(page: Page, { path }: { path: string }) {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  // A browser knows the type of a file by its name.
  const named = test.info().outputPath('saved.html')
  await copyFile(path, named)
  const address = pathToFileURL(named).href
  await page.goto(address)
  expect(requests).toEqual([address])
}

test('a visitor saves a post as Markdown, text, HTML and PDF; the page opens without a network and runs no script [OWN-08]', async ({
  page,
  app,
  open,
}) => {
  const content = `"] <img src=x onerror="document.title='run'">/a\\b\n\nThe owl has read\n   every page *twice*.\n\nשלום\n<script>document.title = 'run'</script>`
  const { id } = await app.publish({ content, authorName: 'Rhea Quill' })
  await asVisitor(page)
  await page.goto(postPath(id))
  const body = content.slice(content.indexOf('\n\n') + 2)
  const files = {
    md: await saveAs(page, 'Markdown'),
    txt: await saveAs(page, 'Plain text'),
    html: await saveAs(page, 'HTML'),
    pdf: await saveAs(page, 'PDF'),
  }
  for (const [extension, { name }] of Object.entries(files))
    expect(name).toBe(`] img src=x onerror= document.title='run' a b.${extension}`)
  expect(textOf(files.txt)).toContain(`\n\n---\n\n${body}\n`)
  expect(textOf(files.txt)).toMatch(/^"\] <img .*\n\nRhea Quill · /)
  expect(textOf(files.md)).toContain('The owl has read\n   every page *twice*.\n\nשלום\n\\<script>')
  if (hasPdftotext) expect(linesOf(files.pdf)).toContain('The owl has read')

  const offline = await open({ offline: true })
  await openSaved(offline, files.html)
  await expect(offline.locator('h1')).toHaveText(content.split('\n', 1)[0]!)
  await expect(offline.locator('section')).toContainText("<script>document.title = 'run'</script>")
  expect(await offline.title()).not.toBe('run')
  expect(await offline.locator('script, img, link').count()).toBe(0)
  const hebrew = offline.locator('section p').last()
  expect(await hebrew.evaluate((line) => getComputedStyle(line).direction)).toBe('rtl')
  await examineAsShown(offline, 'a saved post by day')
  await offline.emulateMedia({ colorScheme: 'dark' })
  await examineAsShown(offline, 'a saved post by night')
})

test('a reader saves a story as EPUB, HTML and PDF [OWN-08]', async ({ open, finished }) => {
  const page = await open({ baseURL: finished.url })
  await asVisitor(page)
  await page.goto(storyPath(finished.rooms.short))
  const epub = await saveAs(page, 'EPUB')
  expect(epub.name).toBe('The long night.epub')
  expect((await filesOf(epub))['EPUB/story.xhtml']).toContain('<p dir="auto">Still,<br/>somebody sang.</p>')
  expect(textOf(await saveAs(page, 'Markdown'))).toContain('\n\nStill,\nsomebody sang.\n')
  expect(textOf(await saveAs(page, 'Plain text'))).toContain('\n\nStill,\nsomebody sang.\n')
  const pdf = await saveAs(page, 'PDF')
  if (hasPdftotext) expect(linesOf(pdf)).toEqual(expect.arrayContaining(['The long night', 'somebody sang.']))
  const html = await saveAs(page, 'HTML')
  expect(html.name).toBe('The long night.html')
  const saved = await open({ offline: true })
  await openSaved(saved, html)
  await expect(saved.getByRole('heading', { level: 1 })).toHaveText('The long night')
  expect(await saved.locator('section p').last().innerText()).toBe('Still,\nsomebody sang.')
})

test('a writer saves the month in sight of the diary in five formats, and the server gets and gives none of its text [OWN-08]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const write = (date: string, content: string) =>
    ana.client.does(saveDiaryEntry, { input: { date, content } })
  await write('2025-04-03', 'April.\n'.repeat(200))
  await write('2025-05-01', 'It rained.\n\nStill,\nsomebody sang.')
  await write('2025-05-02', 'May.\n'.repeat(200))
  await signIn(page, ana)
  await page.goto('/diary?view=paper')
  await expect(page.getByRole('button', { name: 'Save as…' })).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => void calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const epub = await saveAs(page, 'EPUB')
  expect(epub.name).toBe('Diary 2025-05.epub')
  const days = (await filesOf(epub))['EPUB/days.xhtml']!
  expect(days).toContain(
    '<p class="credit" dir="auto">Thursday, May 1st, 2025</p>\n<p dir="auto">It rained.</p>',
  )
  expect(days).not.toContain('April')
  for (const [format, extension] of [
    ['Markdown', 'md'],
    ['Plain text', 'txt'],
    ['HTML', 'html'],
  ] as const) {
    const file = await saveAs(page, format)
    expect(file.name).toBe(`Diary 2025-05.${extension}`)
    expect(textOf(file)).toContain('It rained.')
    expect(textOf(file)).not.toContain('April')
  }
  const pdf = await saveAs(page, 'PDF')
  if (hasPdftotext)
    expect(linesOf(pdf).slice(0, 4)).toEqual([
      'My diary, May 2025',
      '2 days',
      'Thursday, May 1st, 2025',
      'It rained.',
    ])
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Save as…' }).click()
  await expect(page.getByRole('menu')).toContainText('April 2025')
  // The page goes on to read settings, notes and events meanwhile.
  expect(calls.filter((call) => !call.startsWith('GET ') || call.includes('/api/diary'))).toEqual([])
})

test('a person saves a whole conversation by keyboard, with both names, and the typed text stays [OWN-24]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  const say = (from: Person, to: Person, content: string) =>
    from.client.does(sendMessage, { input: { receiverId: to.user.id, messageType: 'text', content } })
  for (let i = 1; i <= 55; i++)
    await (i % 2 === 0 ? say(ana, ben, `Line ${i}.`) : say(ben, ana, `Line ${i}.`))
  await signIn(page, ana)
  await page.goto(`/messages?friend=${ben.user.id}`)
  await expect(page.locator('[data-message]')).toHaveCount(50)
  const field = page.getByPlaceholder('Write a message…')
  await field.fill('Not sent yet')
  const button = page.getByRole('button', { name: 'Save as…' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Plain text' })).toBeFocused()
  const arriving = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await arriving
  expect(file.suggestedFilename()).toBe('Messages with Ben Okafor.txt')
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('55 messages · The times are those of ')
  const parts = text.trim().split('\n\n---\n\n').slice(1)
  expect(parts.map((part) => part.split('\n\n')[1])).toEqual(
    Array.from({ length: 55 }, (_, i) => `Line ${i + 1}.`),
  )
  expect(parts.map((part) => part.split(' · ')[0]).slice(0, 2)).toEqual(['Ben Okafor', 'Ana Lima'])
  await expect(button).toBeFocused()
  await expect(field).toHaveValue('Not sent yet')
  for (const format of ['Markdown', 'HTML']) expect(textOf(await saveAs(page, format))).toContain('Line 1.')
  const pdf = await saveAs(page, 'PDF')
  if (hasPdftotext) expect(linesOf(pdf)).toContain('Line 55.')
})
