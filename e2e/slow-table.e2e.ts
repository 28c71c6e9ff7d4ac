import type { Page } from '@playwright/test'
import { register } from '#contract/account/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { getRoomSeal } from '#contract/rooms/credit/endpoints.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { joinRoom } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { getTurn } from '#contract/rooms/table/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startWithClock } from './clock.ts'
import { makeRoom } from './people.ts'
import { expect, signIn, test } from './test.ts'

const hourMs = 60 * 60_000
/** A process that has just started takes no turn for 20 s. */
const untilLapsed = { timeout: 60_000 }

const field = (page: Page) => page.getByLabel('Your passage')
const status = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text })
const yours = /^Your turn until \w+day[ ,].*\d\d:\d\d\.$/

test('three people write over three days: a holder closes the page, is reminded and keeps the turn, a lapsed turn passes on, everybody sees the end, and the story is sealed [TURN-12 TURN-21 TURN-22 CRED-02]', async ({
  open,
  forgive,
  processes,
}) => {
  test.setTimeout(240_000)
  forgive(/ERR_|Failed to|Fetch|TypeError|50[0-9]/)
  const server = await startWithClock(processes)
  const beganAt = Date.now()
  /** Starts the server again, so many hours after the beginning. */
  const goTo = (hours: number) => server.restart('SIGTERM', new Date(beganAt + hours * hourMs))

  const join = async (firstName: string) => {
    const client = new HttpClient(() => server.url)
    const credentials = { email: `${firstName}@example.org`.toLowerCase(), password: 'secret1' }
    const { id } = await client.does(register, { input: { ...credentials, firstName, lastName: 'Lima' } })
    return { id, client, ...credentials }
  }
  type Writer = Awaited<ReturnType<typeof join>>
  const [ana, ben, cleo] = [await join('Ana'), await join('Ben'), await join('Cleo')]
  const name = 'Three days'
  const room = await makeRoom(ana, { name, turns: 'round', turnSeconds: 43_200, duration: 4320 })
  const params = { id: room.id }
  for (const { client } of [ben, cleo])
    await client.does(joinRoom, { params, input: { signsWithName: true } })

  const visit = async (person: Writer) => {
    const page = await open({ baseURL: server.url, reducedMotion: 'reduce' })
    await signIn(page, person)
    await page.goto(roomPath(room.id))
    return page
  }
  /** Opens the page, writes, and closes the page. */
  const write = async (person: Writer, text: string, shown = yours) => {
    const page = await visit(person)
    await expect(status(page, shown)).toBeVisible(untilLapsed)
    await field(page).fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(status(page, shown)).toHaveCount(0)
    await expect(page.getByText(text)).toBeVisible()
    await page.context().close()
  }
  const holder = async () => (await ana.client.does(getTurn, { params })).holderId
  const told = async ({ client }: Writer) =>
    (await client.does(listNotifications)).flatMap(({ data }) => ('told' in data ? data.told : []))

  await write(ana, 'A door stood open.')
  const bens = await visit(ben)
  await expect(status(bens, yours)).toBeVisible()
  await bens.context().close()

  await goTo(11)
  await expect.poll(() => told(ben), untilLapsed).toContain('last tenth')
  expect(await holder()).toBe(ben.id)
  await write(ben, 'The lamp died.')
  await write(cleo, 'Then we heard the sea.')
  expect(await holder()).toBe(ana.id)

  // Ana's turn lapses. The last turn is for the person with the fewest words.
  await goTo(71)
  await expect.poll(holder, untilLapsed).toBe(ben.id)
  expect(await told(ana)).toEqual([])
  await write(ben, 'And the sea went home.', /the last turn/i)

  const page = await visit(ben)
  await expect(page.getByText('Finished on')).toBeVisible()
  const story = page.getByRole('list', { name: 'The story' })
  const texts = ['A door stood open.', 'The lamp died.', 'Then we heard the sea.', 'And the sea went home.']
  for (const text of texts) await expect(story).toContainText(text)
  const seal = async () => (await ana.client.tries(getRoomSeal, { params })).text()
  const verdict = verify([await seal()])
  expect(verdict).toMatchObject({
    outcome: 'verified',
    seal: { count: 4, passages: texts.map((text) => ({ text })) },
  })
  await server.stop()
})
