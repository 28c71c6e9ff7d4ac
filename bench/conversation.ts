import type { BrowserContext, Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { register } from '#contract/account/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { listFriends } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { inMegabytes, withInstance } from './instance.ts'
import { addFriendships, addPeople, type Person, withDatabase } from './rows.ts'
import { atMost, fact, type Figure, median, printTable, quantile, timesOf } from './table.ts'

const person = { email: 'ana@example.org', password: 'a long passcode' }
const friendCount = 1000
const messageCount = 50_000
/** As the page asks for them. */
const pageLength = 50
const reads = 400
const warmUps = 50
const openings = 5
/** Messages that a reader has scrolled through when the memory is measured. */
const few = 2000
const many = 20_000

// These run in the page, for whose globals this project has no types.
const watchBlocks = `
  globalThis.blocks = []
  new PerformanceObserver((list) => blocks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })`
/** Resolves with the milliseconds from the next click to the frame that shows the first element of the selector. */
const watchSight = `(selector) => {
  globalThis.seen = new Promise((resolve) =>
    addEventListener('click', ({ timeStamp }) => {
      const look = () => document.querySelector(selector) === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
      look()
    }, { capture: true, once: true }))
}`
/**
 * Scrolls up in steps until the page has loaded that many pages. After each step every frame must show the message in the
 * middle of the window where it was. Resolves with the greatest distance in pixels.
 */
const scrollBackTo = `async (count) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const loaded = () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('before=')).length
  performance.setResourceTimingBufferSize(100000)
  let farthest = 0
  while (loaded() < count) {
    scrollBy(0, -1200)
    await frame()
    const { width, height } = document.documentElement.getBoundingClientRect()
    const shown = [...document.querySelectorAll('[data-message]')]
      .find((item) => item.getBoundingClientRect().bottom > innerHeight / 2)
    const top = shown.getBoundingClientRect().top
    const end = performance.now() + 10_000
    for (let n = 0; n < 2 || scrollY < 600; n++) {
      if (performance.now() > end) throw new Error('No earlier messages came for 10 s.')
      await frame()
      farthest = Math.max(farthest, Math.abs(shown.getBoundingClientRect().top - top))
    }
  }
  return farthest
}`

await withInstance(async ({ url, dataDir, memory, client }) => {
  const account = client()
  const { id } = await account.does(register, { input: { ...person, firstName: 'Ana', lastName: 'Lima' } })
  const ana = { id, cookie: account.cookie }
  const friends = await withDatabase(dataDir, (db) => fill(db, ana))
  const ben = friends[0]!
  const conversation = pathOf(listMessages, { params: { friendId: ben.id } })
  const before = memory()
  const server = [
    atMost(
      'server, the newest messages: p95',
      await p95(() => `${conversation}?limit=${pageLength}`),
      15,
      'ms',
    ),
    atMost(
      'server, earlier messages at any place: p95',
      await p95((n) => `${conversation}?limit=${pageLength}&before=${((n * 7919) % messageCount) + 2}`),
      15,
      'ms',
    ),
    fact('server, the longest page, 500 messages: p95', `${(await p95(() => conversation)).toFixed(1)} ms`),
    fact('server, the list of 1,000 friends: p95', `${(await p95(() => listFriends.path)).toFixed(1)} ms`),
  ]

  const browser = await launchChromium(['--enable-precise-memory-info'])
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies(account.cookies.map(([name, value]) => ({ name, value, url })))
    const list = await measureFriends(context, url, ana, friends)
    const opened = await measureOpening(context, url, ben)
    const scrolled = await measureScrolling(context, url, ben)
    printTable(`A list of ${friendCount.toLocaleString('en')} friends in the browser`, list)
    printTable(`A conversation of ${messageCount.toLocaleString('en')} messages`, [
      ...server,
      ...opened,
      ...scrolled,
      fact('memory of the server before and after', `${inMegabytes(before)} and ${inMegabytes(memory())}`),
    ])
  } finally {
    await browser.close()
  }

  /** One read after the other. The limit holds for the whole answer. */
  async function p95(address: (n: number) => string) {
    const times = await timesOf({ warmUps, calls: reads }, async (n) => {
      const answer = await fetch(url + address(n), { headers: { cookie: ana.cookie } })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${address(n)} was answered ${answer.status}.`)
    })
    return quantile(times, 0.95)
  }
})

/** Adds friends of a person, and the messages with the first of them. Each friend has a name and a newest message. */
async function fill(db: Database, ana: Person): Promise<Person[]> {
  const friends = await addPeople(db, friendCount)
  const [friendship] = await addFriendships(
    db,
    friends.map((friend) => [ana, friend] as const),
  )
  await db.execute(sql`
    update users set first_name = case number when 1 then 'Ben' else 'Friend' end,
      last_name = case number when 1 then 'Okafor' else 'Number ' || number end
    from unnest(${sql.param(friends.map(({ id }) => id))}::text[]) with ordinality as friend (friend_id, number)
    where id = friend_id`)
  await db.execute(sql`
    insert into direct_messages (friendship_id, position, id, sender_id, content, created_at)
    select ${friendship}::uuid, n, overlay(gen_random_uuid()::text placing '7' from 15)::uuid,
      (array[${ana.id}, ${friends[0]!.id}])[n % 2 + 1],
      convert_to(n || repeat(' A line of a letter that goes on for a while.', n % 7 + 1), 'UTF8'),
      app_now() - (${messageCount}::int - n) * interval '7 minutes'
    from generate_series(1, ${messageCount}::int) n`)
  await db.execute(sql`
    update friendships set last_position = ${messageCount}::int, last_message_at = app_now() where id = ${friendship}::uuid`)
  await db.execute(sql`
    update friendships set last_position = 1, last_message_at = app_now() - n * interval '1 hour'
    from (select id as other, row_number() over () as n from friendships where last_message_at is null) numbered
    where id = other`)
  await db.execute(sql`
    insert into direct_messages (friendship_id, position, id, sender_id, content, created_at)
    select id, 1, overlay(gen_random_uuid()::text placing '7' from 15)::uuid, low_id,
      convert_to(repeat('A line of a letter that goes on for a while. ', 5), 'UTF8'), last_message_at
    from friendships where last_position = 1`)
  await db.execute(sql`vacuum analyze direct_messages, friendships, users`)
  return friends
}

function rowsOf(page: Page) {
  return page.getByRole('list', { name: 'Friends' }).getByRole('button')
}

function messagesOf(page: Page) {
  return page.locator('[data-message]')
}

async function measureFriends(context: BrowserContext, url: string, ana: Person, friends: Person[]) {
  const shown: number[] = []
  for (let n = 0; n < openings; n++) {
    const page = await visit(context, url)
    shown.push(
      await took(page, '[aria-label="Friends"] li', () =>
        page.getByRole('link', { name: /^Messages/ }).click(),
      ),
    )
    await page.close()
  }
  const page = await visit(context, url)
  await page.goto(`${url}/messages`)
  await rowsOf(page)
    .nth(friendCount - 1)
    .waitFor({ state: 'attached' })
  await blocksOf(page)
  await rowsOf(page).first().hover()
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 1200)
    await page.waitForTimeout(16)
  }
  const scrolling = await blocksOf(page)
  await page.getByRole('list', { name: 'Friends' }).evaluate('list => list.parentElement.scrollTo(0, 0)')
  await page.waitForTimeout(500)
  await blocksOf(page)
  const moved: number[] = []
  for (const [n, friend] of friends.slice(-openings).entries()) {
    const start = performance.now()
    const answer = await fetch(url + sendMessage.path, {
      method: sendMessage.method,
      headers: { cookie: friend.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ messageType: 'text', receiverId: ana.id, content: 'Good evening' }),
    })
    if (!answer.ok) throw new Error(`A message was answered ${answer.status}.`)
    const name = `Friend Number ${friendCount - openings + 1 + n}`
    await page.locator(`[aria-label="Friends"] > li:first-child:has-text("${name}")`).waitFor()
    moved.push(performance.now() - start)
  }
  await page.waitForTimeout(1000)
  const moving = await blocksOf(page)
  await page.close()
  return [
    fact('from the feed to the list: median', `${median(shown).toFixed(0)} ms`),
    atMost('longest task while scrolling through all', scrolling, 50, 'ms', 0),
    fact('a message moves a friend to the top: median', `${median(moved).toFixed(0)} ms`),
    atMost('longest task meanwhile', moving, 50, 'ms', 0),
  ]
}

async function measureOpening(context: BrowserContext, url: string, ben: Person): Promise<Figure[]> {
  const [opened, loaded]: [number[], number[]] = [[], []]
  for (let n = 0; n < openings; n++) {
    const page = await visit(context, url)
    await page.goto(`${url}/messages`)
    const row = rowsOf(page).filter({ hasText: 'Ben Okafor' })
    await row.waitFor()
    opened.push(await took(page, '[data-message]', () => row.click()))
    const start = performance.now()
    await page.goto(`${url}/messages?friend=${ben.id}`, { waitUntil: 'commit' })
    await messagesOf(page).last().waitFor()
    loaded.push(performance.now() - start)
    await page.close()
  }
  return [
    atMost('from a click on the friend to the newest messages: median', median(opened), 300, 'ms', 0),
    atMost(
      'from the address of the conversation to the newest messages: median',
      median(loaded),
      300,
      'ms',
      0,
    ),
  ]
}

/** Scrolls up through many messages, and compares what the page needs after a few of them and after all of them. */
async function measureScrolling(context: BrowserContext, url: string, ben: Person): Promise<Figure[]> {
  const page = await visit(context, url)
  await page.goto(`${url}/messages?friend=${ben.id}`)
  await messagesOf(page).last().waitFor()
  await page.waitForTimeout(1000)
  await blocksOf(page)
  const after: { heap: number; nodes: number }[] = []
  let jump = 0
  const start = performance.now()
  for (const count of [few, many]) {
    jump = Math.max(jump, await page.evaluate<number>(`(${scrollBackTo})(${count / pageLength})`))
    after.push(await weightOf(page))
  }
  const seconds = (performance.now() - start) / 1000
  const longest = await blocksOf(page)
  await page.close()
  const [first, last] = after as [{ heap: number; nodes: number }, { heap: number; nodes: number }]
  return [
    atMost('the farthest that a message jumps while earlier ones are loaded', jump, 1, 'px', 1),
    atMost('longest task while scrolling back', longest, 50, 'ms', 0),
    atMost(
      `heap of the page for each message between ${few.toLocaleString('en')} and ${many.toLocaleString('en')}`,
      (last.heap - first.heap) / (many - few),
      1000,
      'bytes',
      0,
    ),
    atMost('nodes of the document, as a multiple', last.nodes / first.nodes, 1.1, '', 2),
    fact('the two heaps', `${inMegabytes(first.heap)} and ${inMegabytes(last.heap)}`),
    fact('nodes of the document then', `${first.nodes} and ${last.nodes}`),
    fact(`scrolled through ${many.toLocaleString('en')} messages in`, `${seconds.toFixed(0)} s`),
  ]
}

async function visit(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript({ content: watchBlocks })
  await page.goto(`${url}/about`)
  return page
}

async function took(page: Page, sight: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`(${watchSight})(${JSON.stringify(sight)})`)
  await act()
  return page.evaluate<number>('seen')
}

/** The longest task since the last call, in milliseconds; tasks under 50 count as 0. */
async function blocksOf(page: Page): Promise<number> {
  return Math.max(0, ...(await page.evaluate<number[]>('blocks.splice(0)')))
}

async function weightOf(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('Performance.enable')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes') }
}
