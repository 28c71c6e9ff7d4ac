import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { register } from '#contract/account/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { getRoomStory, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { freePort } from '../scripts/testing/ports.ts'
import { makeDataFolder, removeDataFolder, startServer } from '../scripts/testing/running-server.ts'
import { examine } from './examine.ts'
import { makeRoom } from './people.ts'
import { asVisitor, expect, signIn, test } from './test.ts'

const poemsFile = join(import.meta.dirname, '../../shared/data/leaves-of-grass.jsonl')

/** The longest poem, stanza by stanza. */
function readStanzas(): string[] {
  const poems = readFileSync(poemsFile, 'utf8').trim().split('\n')
  const texts = poems.map((line) => (JSON.parse(line) as { content: string }).content)
  return texts.reduce((one, other) => (other.length > one.length ? other : one)).split('\n\n')
}

/** A server that can be killed and comes back at the same address. */
async function startHouse() {
  const dataDir = await makeDataFolder()
  const PORT = String(await freePort())
  const start = (clock = new Date()) =>
    startServer({ dataDir, settings: { PORT, TEST_CLOCK: clock.toISOString() } })
  let server = await start()
  return {
    url: server.url.replace('localhost', '127.0.0.1'),
    again: async (signal: NodeJS.Signals, clock?: Date) => {
      await server.end(signal)
      server = await start(clock)
    },
    stop: async () => {
      await server.end('SIGTERM')
      await removeDataFolder(dataDir)
    },
  }
}

/** Notes each passage that the page adds, so that one shown twice, or late, is found. */
async function watchPassages(page: Page) {
  await page.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shownPassages: shown })
    const note = (node: Node) => {
      if (!(node instanceof Element)) return
      const passages = node.matches('[data-position]') ? [node] : node.querySelectorAll('[data-position]')
      for (const passage of passages) shown.push(passage.getAttribute('data-position')!)
    }
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(note))).observe(
      document,
      { childList: true, subtree: true },
    )
  })
}
const positionsShown = (page: Page) =>
  page.evaluate(() => (window as unknown as { shownPassages: string[] }).shownPassages.map(Number))

test('five people tell a long story, the server dies twice on the way, and everybody reads it once, in order and whole [R2 R9 RVIEW-07 RVIEW-18]', async ({
  open,
  forgive,
}) => {
  test.skip(!existsSync(poemsFile), 'The poems are not on this machine.')
  test.setTimeout(300_000)
  forgive(/ERR_|Failed to|Fetch|TypeError|50[0-9]/)
  const stanzas = readStanzas()
  const house = await startHouse()
  const client = () => new HttpClient(() => house.url)
  const people = await Promise.all(
    Array.from({ length: 5 }, async (_, i) => {
      const person = { email: `teller${i}@example.org`, password: 'secret1', client: client() }
      const { email, password } = person
      await person.client.does(register, { input: { email, password, firstName: `Teller${i}` } })
      return person
    }),
  )
  const [ana] = people
  const room = await makeRoom(ana!, { duration: 15 })
  for (const person of people.slice(1)) await person.client.does(joinRoom, { params: { id: room.id } })
  const pages: Page[] = []
  for (const person of [...people, undefined]) {
    const page = await open({ baseURL: house.url })
    await watchPassages(page)
    if (person === undefined) await asVisitor(page)
    else await signIn(page, person)
    await page.goto(roomPath(room.id))
    await expect(page.getByText('No messages yet')).toBeVisible()
    pages.push(page)
  }

  const deaths = [Math.floor(stanzas.length / 3), Math.floor((2 * stanzas.length) / 3)]
  let coming: Promise<void> | undefined
  for (const [i, stanza] of stanzas.entries()) {
    const page = pages[i % people.length]!
    // Each goes on where the story stands before their eyes.
    if (i > 0) await expect(page.locator(`[data-position="${i}"]`)).toBeVisible({ timeout: 60_000 })
    await coming
    coming = deaths.includes(i) ? house.again('SIGKILL') : undefined
    const field = page.getByPlaceholder('Continue the story...')
    await field.fill(stanza)
    await expect(async () => {
      if ((await page.locator(`[data-position="${i + 1}"]`).count()) > 0) return
      if ((await field.inputValue()) !== '') await field.press('Enter')
      await expect(page.locator(`[data-position="${i + 1}"]`)).toBeVisible({ timeout: 15_000 })
    }).toPass({ timeout: 90_000 })
  }
  const everyPosition = stanzas.map((_, i) => i + 1)
  for (const page of pages) {
    await expect(page.locator(`[data-position="${stanzas.length}"]`)).toBeVisible({ timeout: 60_000 })
    expect(await positionsShown(page)).toEqual(everyPosition)
  }

  // Its time goes by.
  await house.again('SIGTERM', new Date(Date.parse(room.expiresAt) + 1000))
  const reader = pages.at(-1)!
  await reader.reload()
  const told = reader.getByRole('list', { name: 'The story' }).getByRole('listitem')
  await expect(told).toHaveCount(stanzas.length)
  const texts = await told.evaluateAll((items) => items.map((item) => item.firstElementChild!.textContent))
  expect(texts).toEqual(stanzas)
  const file = await fetch(house.url + pathOf(getRoomStory, { params: { id: room.id, format: 'txt' } }))
  const plain = await file.text()
  for (const stanza of stanzas) expect(plain).toContain(stanza)
  await house.stop()
})

test('a finished story can be read by any means, at any width, by day and by night [RLIST-28]', async ({
  open,
}) => {
  test.setTimeout(120_000)
  const house = await startHouse()
  const ana = { email: 'ana@example.org', password: 'secret1', client: new HttpClient(() => house.url) }
  await ana.client.does(register, { input: { email: ana.email, password: ana.password, firstName: 'Ana' } })
  const room = await makeRoom(ana, { duration: 15 })
  for (const content of ['It rained.', 'Still,\nsomebody sang.'])
    await ana.client.does(sendPassage, { params: { id: room.id }, input: { content } })
  await house.again('SIGTERM', new Date(Date.parse(room.expiresAt) + 1000))
  const page = await open({ baseURL: house.url })
  await asVisitor(page)
  await page.goto(roomPath(room.id))
  await expect(page.getByRole('heading', { name: 'Contributors' })).toBeVisible()
  await examine(page, 'a story')
  await house.stop()
})
