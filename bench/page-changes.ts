import type { Locator, Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { register } from '#contract/account/endpoints.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { addDays, dayOf } from '#contract/days.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { withInstance } from './instance.ts'
import { addFriendships, addPeople, addRooms, type Person, withDatabase } from './rows.ts'
import { atMost, fact, type Figure, median, printTable } from './table.ts'

// Measures a change of page for a person with an account, from the click to the painted page, with the processor slowed four times.

const rounds = 9
const slowdown = 4
const limitMs = 100
const posts = 50
const friends = 30
const messages = 60
const rooms = 12
const days = 365
/** The pause after a change, so that its late work is not measured with the next one. */
const pauseMs = 1000
/** The longest wait for a page. One that takes longer is never shown, for example because its rows are missing. */
const giveUpMs = 30_000
/** A time zone in which it is noon: the feed of the day stays the same during the run. `Etc/GMT+1` is an hour behind UTC. */
const hoursAfterNoon = new Date().getUTCHours() - 12
const timeZone = `Etc/GMT${hoursAfterNoon < 0 ? '' : '+'}${hoursAfterNoon}`
const person = { email: 'ana@example.org', password: 'a long passcode' }
const line = 'Rain in the morning, and a letter from the coast that I read twice before the lamp was lit.'
const verse = 'The lamp is lit,\nthe letter lies\nunread beside the bread.\n\n'
const postOf = (n: number) =>
  n % 3 === 0
    ? `Verses ${n}\n\n${verse.repeat(3)}`
    : `Prose ${n}\n\n${`${line} `.repeat(n % 3 === 1 ? 4 : 20)}`

// This runs in the page, for whose globals this project has no types.
/**
 * Sets `seen`: the milliseconds from the next click to the end of the first frame that has an element of the selector. The check
 * runs before styles, layout and paint of the frame, the message after them. Event Timing would end at the first frame after the
 * click, which may not have the page yet, and counts in steps of 8 ms.
 */
const startWatch = `(selector) => {
  globalThis.seen = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(selector + ' was not shown in ${giveUpMs} ms.')), ${giveUpMs})
    addEventListener('click', ({ timeStamp }) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - timeStamp)
      const look = () =>
        document.querySelector(selector) === null ? requestAnimationFrame(look) : port2.postMessage(0)
      requestAnimationFrame(look)
    }, { capture: true, once: true })
  })
}`

interface Change {
  name: string
  /** What the person presses. */
  from: (page: Page, round: number) => Locator
  /** A selector. The page is shown when it finds an element. */
  sight: string
  /** Leads back to where the next change begins. */
  after?: (page: Page) => Promise<void>
}

const inSidebar = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** In this order. The first begins on the diary, and the last leads back to it. */
const changes: Change[] = [
  { name: 'to Feed from Diary', from: inSidebar('Home'), sight: 'main [data-post]' },
  {
    name: 'open an article',
    from: (page) => page.getByRole('link', { name: 'Continue reading' }).first(),
    sight: '[role="dialog"] [data-testid="article-content"]',
  },
  {
    name: 'back to the feed',
    from: (page) => page.getByRole('button', { name: 'Close' }),
    sight: 'body:not(:has([role="dialog"]))',
  },
  {
    name: 'Create Post',
    from: (page) => page.getByRole('button', { name: 'Create Post' }),
    sight: '[role="dialog"] textarea:not([readonly])',
    after: (page) => page.keyboard.press('Escape'),
  },
  { name: 'to Calendar', from: inSidebar('Calendar'), sight: 'main [data-day]' },
  {
    name: 'to Messages',
    from: (page) => page.getByRole('link', { name: /^Messages/ }),
    sight: 'main [data-friend]',
  },
  {
    name: 'open a conversation',
    from: (page, round) => page.locator('main [data-friend] button').nth(round),
    sight: 'main [data-message]',
  },
  { name: 'to Rooms', from: inSidebar('Z!mmers'), sight: 'main li article' },
  { name: 'to Diary', from: inSidebar('Diary'), sight: 'main textarea:not([aria-busy="true"])' },
]

await withInstance(
  async ({ url, dataDir, client, admin }) => {
    const ana = client()
    const { id } = await ana.does(register, { input: { ...person, firstName: 'Ana', lastName: 'Lima' } })
    for (let n = 0; n < posts; n++)
      await admin.does(createPost, { input: { content: postOf(n), authorName: `Author ${n % 9}` } })
    await fillDays(ana)
    await withDatabase(dataDir, (db) => fill(db, { id, cookie: ana.cookie }))

    const browser = await launchChromium()
    try {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        timezoneId: timeZone,
      })
      await context.addCookies(ana.cookies.map(([name, value]) => ({ name, value, url })))
      const page = await context.newPage()
      const devtools = await context.newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await page.goto(`${url}/diary`)
      await page.waitForTimeout(5 * pauseMs)
      const times = new Map(changes.map(({ name }) => [name, [] as number[]]))
      // The first round also fetches and compiles code, so it is shown apart.
      for (let round = 0; round <= rounds; round++)
        for (const change of changes) times.get(change.name)!.push(await took(page, change, round))
      printTable(
        `Changes of page at a processor slowed ${slowdown}x, ${rounds} rounds after a first`,
        [...times].flatMap(figuresOf),
      )
    } finally {
      await browser.close()
    }
  },
  { APP_TIME_ZONE: timeZone },
)

async function took(page: Page, { from, sight, after }: Change, round: number): Promise<number> {
  const pressed = from(page, round)
  // As with a person, the pointer reaches the link before the press, and the page is preloaded.
  await pressed.hover()
  await page.waitForTimeout(pauseMs / 4)
  await page.evaluate(`(${startWatch})(${JSON.stringify(sight)})`)
  await page.mouse.down()
  await page.mouse.up()
  const ms = await page.evaluate<number>('seen')
  await page.waitForTimeout(pauseMs)
  await after?.(page)
  await page.waitForTimeout(after ? pauseMs : 0)
  return ms
}

function figuresOf([name, [first, ...others]]: [string, number[]]): Figure[] {
  return [
    atMost(`${name}: median`, median(others), limitMs, 'ms', 0),
    atMost(`${name}: the longest`, Math.max(...others), limitMs, 'ms', 0),
    fact(`${name}: the first time`, `${first!.toFixed(0)} ms`),
  ]
}

/** A year of entries, with a note for each week. */
async function fillDays(ana: HttpClient) {
  const today = dayOf(new Date(), timeZone)
  for (let n = 0; n < days; n++) {
    const date = addDays(today, -n)
    await ana.does(saveDiaryEntry, { input: { date, content: `${date} ${`${line} `.repeat(12)}` } })
    if (n % 7 === 0) await ana.does(saveCalendarNote, { input: { date, note: line } })
  }
}

/** Adds friends with conversations, and open rooms. */
async function fill(db: Database, ana: Person) {
  const people = await addPeople(db, friends)
  const friendships = await addFriendships(
    db,
    people.map((friend) => [ana, friend] as const),
  )
  await db.execute(sql`
    insert into direct_messages (friendship_id, position, id, sender_id, content, created_at)
    select id, n, overlay(gen_random_uuid()::text placing '7' from 15)::uuid,
      case n % 2 when 0 then low_id else high_id end,
      convert_to(repeat(${`${line} `}, n % 4 + 1), 'UTF8'), app_now() - (${messages}::int - n) * interval '7 minutes'
    from friendships, generate_series(1, ${messages}::int) n`)
  await db.execute(sql`
    update friendships set last_position = ${messages}::int, last_message_at = app_now()
    where id = any(${sql.param(friendships)}::uuid[])`)
  await addRooms(
    db,
    Array.from({ length: rooms }, (_, n) => [ana, people[n]!]),
  )
}
