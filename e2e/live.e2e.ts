import type { BrowserContext, Page, Request } from '@playwright/test'
import { changeRoomMembership, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { makeRoom } from './people.ts'
import { expect, signIn, test } from './test.ts'

/** The requests for streams of all tabs of a browser. */
function streamsOf(context: BrowserContext) {
  const [openedUrls, openRequests] = [[] as URL[], new Set<Request>()]
  const isStream = (request: Request) => new URL(request.url()).pathname === livePath
  context.on('request', (request) => {
    if (!isStream(request)) return
    openedUrls.push(new URL(request.url()))
    openRequests.add(request)
  })
  const remove = (request: Request) => void openRequests.delete(request)
  context.on('requestfinished', remove)
  context.on('requestfailed', remove)
  return { openedUrls, openRequests }
}

const shown = (page: Page, text: string) => page.getByText(text, { exact: true })

test('two tabs share one stream; when the leader closes, the other tab resumes after the last event [R8 R9 RVIEW-18]', async ({
  page,
  context,
  app,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana)
  const write = (content: string) =>
    ana.client.does(sendPassage, { params: { id: room.id }, input: { content } })
  const streams = streamsOf(context)
  await signIn(page, ana)
  await page.goto(roomPath(room.id))
  const other = await context.newPage()
  await other.goto(roomPath(room.id))
  await expect(other.getByPlaceholder('Continue the story...')).toBeVisible()
  for (const tab of [page, other]) await expect(shown(tab, '1 here')).toBeVisible()
  // The first passage may come from the first fetch of the page. The second passage proves that the tab is subscribed.
  for (const passage of ['The wheel turns.', 'The wheel creaks.']) {
    await write(passage)
    await expect(shown(page, passage)).toHaveCount(1)
    await expect(shown(other, passage)).toHaveCount(1)
  }
  // Some seconds after a tab is shown it subscribes to the inbox too, and says which address it shows.
  await expect
    .poll(async () => {
      const { held = [] } = await other.evaluate(() => navigator.locks.query())
      return held.filter(({ name }) => name?.startsWith('shown ')).length
    })
    .toBe(2)
  // The leader opens its stream again when a topic is added. The inbox or the room may come first.
  await expect
    .poll(() => [...streams.openedUrls.at(-1)!.searchParams.keys()])
    .toEqual(expect.arrayContaining(['inbox', 'rooms']))
  await expect.poll(() => streams.openRequests.size).toBe(1)
  const streamsOfRoom = () => streams.openedUrls.filter(({ searchParams }) => searchParams.has('rooms'))
  const openedBefore = streamsOfRoom().length

  await page.close()
  await write('The wheel stands.')
  await expect(shown(other, 'The wheel stands.')).toHaveCount(1)
  await expect(shown(other, 'The wheel turns.')).toHaveCount(1)
  // A stream for the inbox alone may come before the one that has the room too.
  await expect.poll(() => streamsOfRoom().length).toBe(openedBefore + 1)
  // The new stream resumes after the last event.
  expect(streamsOfRoom().at(-1)!.searchParams.get('after')).toMatch(/./)
})

test('a reader sees the changed signature of a member, and keeps the typed text and the scroll position [RVIEW-12 RVIEW-18]', async ({
  page,
  app,
}) => {
  const [ana, ben] = [await app.signUp(), await app.signUp({ firstName: 'Ben' })]
  const room = await makeRoom(ana)
  const params = { id: room.id }
  await ben.client.does(joinRoom, { params })
  for (let n = 0; n < 6; n++)
    for (const { client } of [ana, ben])
      await client.does(sendPassage, { params, input: { content: 'The rain goes on.\n\n'.repeat(4) } })
  await signIn(page, ana)
  await page.goto(roomPath(room.id))
  await expect(shown(page, '1 here')).toBeVisible()
  const field = page.getByPlaceholder('Continue the story...')
  await field.fill('Half a line')
  const passages = page.locator('[data-position]')
  await passages.nth(6).evaluate((item) => item.scrollIntoView({ block: 'center' }))
  const position = () => page.evaluate(() => scrollY)
  const before = await position()
  expect(before).toBeGreaterThan(0)
  await ben.client.does(changeRoomMembership, { params, input: { signsWithName: true } })
  for (const n of [1, 11]) await expect(passages.nth(n)).toContainText(/^Ben/)
  expect(await position()).toBe(before)
  await expect(field).toHaveValue('Half a line')
})

test('a page whose stream is refused shows a new passage after the next poll [R8 RVIEW-18]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana)
  await page.clock.install()
  await page.route(`**${livePath}*`, (route) => route.fulfill({ status: 429, body: '{}' }))
  await signIn(page, ana)
  await page.goto(roomPath(room.id))
  await expect(page.getByText('No messages yet')).toBeVisible()
  await ana.client.does(sendPassage, { params: { id: room.id }, input: { content: 'A stone falls.' } })
  // Second by second, so that the answers arrive in between.
  for (let seconds = 0; seconds < 45 && !(await shown(page, 'A stone falls.').isVisible()); seconds++)
    await page.clock.runFor(1000)
  await expect(shown(page, 'A stone falls.')).toBeVisible()
})
