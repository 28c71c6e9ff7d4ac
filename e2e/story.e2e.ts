import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { register } from '#contract/account/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { getRoomStory, joinRoom } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startWithClock } from './clock.ts'
import { makeRoom } from './people.ts'
import { asVisitor, expect, signIn, test } from './test.ts'

const poemsFile = join(import.meta.dirname, '../../shared/data/leaves-of-grass.jsonl')

/** How many stanzas people write. `TRACES=full npm run e2e` writes the whole poem. */
const most = process.env.TRACES === 'full' ? Infinity : 30

/** The beginning of the longest poem, stanza by stanza. */
function readStanzas(): string[] {
  const poems = readFileSync(poemsFile, 'utf8').trim().split('\n')
  const texts = poems.map((line) => (JSON.parse(line) as { content: string }).content)
  return texts
    .reduce((one, other) => (other.length > one.length ? other : one))
    .split('\n\n')
    .slice(0, most)
}

/** Records each passage that the page adds, in order, so that the test finds a passage that was added twice or late. */
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

test('five people write a long story while the server is killed twice, and everybody sees each passage once and in order [R2 R9 RVIEW-07 RVIEW-18]', async ({
  open,
  forgive,
  processes,
}) => {
  test.skip(!existsSync(poemsFile), 'The poems are not on this machine.')
  test.setTimeout(300_000)
  forgive(/ERR_|Failed to|Fetch|TypeError|50[0-9]/)
  const stanzas = readStanzas()
  const server = await startWithClock(processes)
  const client = () => new HttpClient(() => server.url)
  const people = await Promise.all(
    Array.from({ length: 5 }, async (_, i) => {
      const person = { email: `writer${i}@example.org`, password: 'secret1', client: client() }
      const { email, password } = person
      await person.client.does(register, { input: { email, password, firstName: `Writer${i}` } })
      return person
    }),
  )
  const [ana] = people
  const room = await makeRoom(ana!, { duration: 15 })
  for (const person of people.slice(1))
    await person.client.does(joinRoom, { params: { id: room.id }, input: { signsWithName: false } })
  const pages: Page[] = []
  for (const person of [...people, undefined]) {
    const page = await open({ baseURL: server.url })
    await watchPassages(page)
    if (person === undefined) await asVisitor(page)
    else await signIn(page, person)
    await page.goto(roomPath(room.id))
    await expect(page.getByText('No messages yet')).toBeVisible()
    pages.push(page)
  }

  const killedAt = [Math.floor(stanzas.length / 3), Math.floor((2 * stanzas.length) / 3)]
  let restarting: Promise<void> | undefined
  for (const [i, stanza] of stanzas.entries()) {
    const page = pages[i % people.length]!
    // Each person writes after the previous passage is on their page.
    if (i > 0) await expect(page.locator(`[data-position="${i}"]`)).toBeVisible({ timeout: 60_000 })
    await restarting
    restarting = killedAt.includes(i) ? server.restart('SIGKILL') : undefined
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

  // The time of the room ends.
  await server.restart('SIGTERM', new Date(Date.parse(room.expiresAt) + 1000))
  const reader = pages.at(-1)!
  await reader.reload()
  const items = reader.getByRole('list', { name: 'The story' }).getByRole('listitem')
  await expect(items).toHaveCount(stanzas.length)
  const texts = await items.evaluateAll((elements) =>
    elements.map((item) => item.firstElementChild!.textContent),
  )
  expect(texts).toEqual(stanzas)
  const file = await fetch(server.url + pathOf(getRoomStory, { params: { id: room.id, format: 'txt' } }))
  const plain = await file.text()
  for (const stanza of stanzas) expect(plain).toContain(stanza)
  await server.stop()
})
