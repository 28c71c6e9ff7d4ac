import type { BrowserContext, Page, Request } from '@playwright/test'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { makeRoom } from './people.ts'
import { expect, signIn, test } from './test.ts'

/** The streams of a browser, as its tabs open and close them. */
function streamsOf(context: BrowserContext) {
  const [opened, open] = [[] as URL[], new Set<Request>()]
  const isStream = (request: Request) => new URL(request.url()).pathname === livePath
  context.on('request', (request) => {
    if (!isStream(request)) return
    opened.push(new URL(request.url()))
    open.add(request)
  })
  const forget = (request: Request) => void open.delete(request)
  context.on('requestfinished', forget)
  context.on('requestfailed', forget)
  return { opened, open }
}

const shown = (page: Page, text: string) => page.getByText(text, { exact: true })

test('the tabs of a browser share one stream; when its holder closes another goes on, and misses nothing [R8 R9 RVIEW-18]', async ({
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
  await write('The wheel turns.')
  await expect(shown(page, 'The wheel turns.')).toHaveCount(1)
  await expect(shown(other, 'The wheel turns.')).toHaveCount(1)
  expect(streams.open.size).toBe(1)

  await page.close()
  await write('The wheel stands.')
  await expect(shown(other, 'The wheel stands.')).toHaveCount(1)
  await expect(shown(other, 'The wheel turns.')).toHaveCount(1)
  // It goes on from what was last heard.
  await expect.poll(() => streams.opened.at(-1)!.searchParams.get('after')).toMatch(/./)
  expect(streams.opened).toHaveLength(2)
})

test('without a stream a page looks for itself every half minute [R8 RVIEW-18]', async ({ page, app }) => {
  test.setTimeout(90_000)
  const ana = await app.signUp()
  const room = await makeRoom(ana)
  await page.route(`**${livePath}*`, (route) => route.fulfill({ status: 429, body: '{}' }))
  await signIn(page, ana)
  await page.goto(roomPath(room.id))
  await expect(page.getByText('No messages yet')).toBeVisible()
  await ana.client.does(sendPassage, { params: { id: room.id }, input: { content: 'A stone falls.' } })
  await expect(shown(page, 'A stone falls.')).toBeVisible({ timeout: 45_000 })
})
