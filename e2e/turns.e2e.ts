import type { BrowserContextOptions, Page } from '@playwright/test'
import { register } from '#contract/account/endpoints.ts'
import { getRoom, joinRoom } from '#contract/rooms/endpoints.ts'
import { roomPath, roomsPath } from '#contract/rooms/paths.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startWithClock } from './clock.ts'
import { examine } from './examine.ts'
import { rowsOnDevice } from './on-device.ts'
import { makeRoom } from './people.ts'
import { type App, expect, type Person, signIn, test } from './test.ts'

const wide: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' }
/** A turn of a holder who has gone ends 25 s after the lease was renewed last. */
const untilLapsed = { timeout: 60_000 }

const field = (page: Page) => page.getByLabel('Your passage')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const yours = (page: Page) => status(page, 'Your turn.')
const over = 'This turn is over. Your text stays here for your next turn.'

async function write(page: Page, text: string) {
  await expect(yours(page)).toBeVisible()
  await field(page).fill(text)
  await button(page, 'Send').click()
  await expect(field(page)).toHaveValue('')
}

type OpenPage = (options?: BrowserContextOptions) => Promise<Page>

/** Three people at one table, of whom the first has made it and has the first turn. */
async function sitDown(app: App, open: OpenPage, more: Parameters<typeof makeRoom>[1]) {
  const [ana, ben, cleo] = [
    await app.signUp({ firstName: 'Ana' }),
    await app.signUp({ firstName: 'Ben', lastName: 'Ode' }),
    await app.signUp({ firstName: 'Cleo', lastName: 'Ray' }),
  ] as const
  const room = await makeRoom(ana, more)
  const enter = async (person: Person, options: BrowserContextOptions) => {
    await person.client.does(joinRoom, { params: { id: room.id }, input: { signsWithName: true } })
    const page = await open(options)
    await signIn(page, person)
    await page.goto(roomPath(room.id))
    await expect(field(page)).toBeVisible()
    return page
  }
  const pages = [await enter(ana, wide), await enter(ben, phone), await enter(cleo, phone)] as const
  await expect(yours(pages[0])).toBeVisible()
  return pages
}

test('three people write a folded story in a round, from its creation to the unfolding [TURN-01 TURN-02 TURN-03 TURN-09 TURN-12 TURN-15 TURN-16]', async ({
  open,
  forgive,
  processes,
}) => {
  test.setTimeout(300_000)
  forgive(/ERR_|Failed to|Fetch|TypeError|50[0-9]/)
  const server = await startWithClock(processes)
  const enter = async (firstName: string, options: BrowserContextOptions) => {
    const person = { email: `${firstName}@example.org`.toLowerCase(), password: 'secret1' }
    await new HttpClient(() => server.url).does(register, {
      input: { ...person, firstName, lastName: 'Lima' },
    })
    const page = await open({ ...options, baseURL: server.url })
    await signIn(page, person)
    return page
  }
  const ana = await enter('Ana', wide)
  await ana.goto(roomsPath)
  await button(ana, 'Create').first().click()
  const form = ana.getByRole('dialog')
  await form.getByLabel('Room name').fill('The folded night')
  await form.getByLabel('Description').fill('Nobody knows what was said before.')
  await form.getByLabel('Duration').selectOption('15 minutes')
  await form.getByLabel('Turns').selectOption('In a round')
  await form.getByLabel('Length of a turn').selectOption('1 minute')
  await form.getByRole('switch', { name: 'Fold the story' }).click()
  await expect(form.getByLabel('Length of a passage')).toHaveValue('180')
  await button(ana, 'Create').last().click()
  await ana.getByRole('dialog', { name: 'Your signature' }).getByRole('button', { name: 'Create' }).click()
  await expect(yours(ana)).toBeVisible()
  const path = new URL(ana.url()).pathname + new URL(ana.url()).search

  const join = async (firstName: string) => {
    const page = await enter(firstName, phone)
    await page.goto(path)
    await button(page, /^Join/).click()
    const signing = page.getByRole('dialog')
    await signing.getByRole('radio', { name: new RegExp(`^${firstName}`) }).click()
    await button(page, 'Join').click()
    await expect(status(page, /^User \w+ is writing\. Prepare your lines\./)).toBeVisible()
    return page
  }
  const [ben, cleo] = [await join('Ben'), await join('Cleo')]
  await write(ana, 'A door stood open.\nThe lamp went out.')
  await expect(ben.getByText('… The lamp went out.')).toBeVisible()
  await expect(ben.getByText('8 words, folded')).toBeVisible()
  await expect(ana.getByText('A door stood open.')).toBeVisible()
  await expect(status(cleo, /^Ben Lima is writing\./)).toBeVisible()
  await write(ben, 'Then we heard the sea.')
  await expect(cleo.getByText('… Then we heard the sea.')).toBeVisible()
  // Neither the page nor the device has a folded text, also where its last line was shown during a turn.
  for (const page of [ben, cleo]) {
    const onDevice = async () => JSON.stringify(await rowsOnDevice(page))
    await expect.poll(onDevice).toContain('"folded":true')
    const kept = (await onDevice()) + (await page.content())
    for (const text of ['door stood', 'lamp went']) expect(kept).not.toContain(text)
  }
  await expect(cleo.getByText(/words, folded$/)).toHaveCount(2)
  await write(cleo, 'It was inside the house.')
  await expect(yours(ana)).toBeVisible()

  const id = new URL(ana.url()).searchParams.get('room')!
  const { expiresAt } = await new HttpClient(() => server.url).does(getRoom, { params: { id } })
  await server.restart('SIGTERM', new Date(Date.parse(expiresAt) - 90_000))
  const people = [ana, ben, cleo]
  const last = 'The last turn: with your passage the story ends.'
  const holders = () => Promise.all(people.map((page) => status(page, last).count()))
  await expect.poll(async () => (await holders()).join(''), untilLapsed).toContain('1')
  const holder = people[(await holders()).indexOf(1)]!
  await field(holder).fill('And the sea went home.')
  await button(holder, 'Send').click()
  for (const page of people) {
    await expect(page.getByText('The story is finished. This is what you wrote together.')).toBeVisible()
    const story = page.getByRole('list', { name: 'The story' })
    for (const text of ['A door stood open.', 'Then we heard the sea.', 'inside the house', 'went home'])
      await expect(story).toContainText(text)
  }
  await server.stop()
})

test('a person makes a slow table, closes the page, and finds the end, the own turn and a notification [TURN-21 TURN-22]', async ({
  app,
  open,
}) => {
  const ana = await app.signUp({ firstName: 'Ana' })
  const page = await open(phone)
  await signIn(page, ana)
  await page.goto(roomsPath)
  await button(page, 'Create').first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Room name').fill('Letters of a month')
  await form.getByLabel('Description').fill('One letter each day.')
  await form.getByLabel('Turns').selectOption('In a round')
  await form.getByLabel('Length of a turn').selectOption('72 hours')
  await form.getByLabel('Duration').selectOption('30 days')
  await button(page, 'Create').last().click()
  await page.getByRole('dialog', { name: 'Your signature' }).getByRole('button', { name: 'Create' }).click()
  await expect(status(page, /^Your turn until \w+day[ ,].*\d\d:\d\d\.$/)).toBeVisible()
  await page.goto(roomsPath)
  const slowTables = page.getByRole('region', { name: 'Slow tables' })
  const table = slowTables.getByRole('listitem').filter({ hasText: 'Letters of a month' })
  await expect(table.getByText(/^Ends \w+day, .*\d\d:\d\d$/)).toBeVisible()
  await expect(table.getByText(/^Your turn until \w+day[ ,].*\d\d:\d\d$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Letters of a month' })).toHaveCount(1)
  await page.goto('/dashboard')
  await makeRoom(ana, { name: 'Cards', turns: 'round', turnSeconds: 43_200, duration: 4320 })
  await button(page, 'Notifications, 1 new').click()
  await expect(
    page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: /Your turn in Cards/ }),
  ).toBeVisible()
})

test('the holder of the baton of a folded story hands it to somebody, and passes; holder and waiting writer find the table accessible at any width, by day and by night [TURN-01 TURN-02 TURN-10 TURN-15]', async ({
  app,
  open,
}) => {
  test.setTimeout(240_000)
  const [ana, ben, cleo] = await sitDown(app, open, { turns: 'baton', isFolded: true, name: 'A baton' })
  await field(ana).fill('For Cleo.')
  await examine(ana, 'the own turn')
  await ana.setViewportSize(wide.viewport!)
  await button(ana, 'Hand to …').click()
  await ana.getByRole('menuitem', { name: 'Cleo Ray' }).click()
  await expect(yours(cleo)).toBeVisible()
  await expect(status(ben, 'Cleo Ray is writing. Prepare your lines. Nobody sees them.')).toBeVisible()
  await field(cleo).fill('Not yet')
  // As long as a person presses: the bottom bar of the phone, which is hidden while one writes, moves no button away.
  const press = { delay: 200 }
  await cleo.getByRole('switch', { name: 'Send what I have' }).click(press)
  await expect(cleo.getByRole('switch', { name: 'Send what I have' })).not.toBeChecked()
  await button(cleo, 'Pass').click(press)
  await expect(yours(cleo)).toHaveCount(0)
  await expect(field(cleo)).toHaveValue('Not yet')
  await expect(cleo.getByText(over)).toHaveCount(0)
  await expect(yours(ben)).toBeVisible()
  await examine(ben, 'the own turn in a folded story')
  await examine(cleo, 'the turn of another')
})

test('a holder without a connection loses the turn, the others go on, and the typed text stays; then the holder, who made the table, closes it, removes a member and ends the story by the keyboard, and everybody sees it at once [TURN-05 TURN-07 TURN-14 TURN-17 TURN-20]', async ({
  app,
  open,
  forgive,
}) => {
  test.setTimeout(240_000)
  forgive(/ERR_INTERNET_DISCONNECTED|Failed to/)
  const [ana, ben, cleo] = await sitDown(app, open, { turns: 'round', name: 'A round' })
  await field(ana).fill('I was not')
  await ana.context().setOffline(true)
  await expect(ana.getByText('No connection. What you type is kept on this device.')).toBeVisible(untilLapsed)
  await expect(yours(ben)).toBeVisible(untilLapsed)
  await button(ben, 'Pass').click()
  await expect(yours(cleo)).toBeVisible()
  await ana.context().setOffline(false)
  await expect(ana.getByText(over)).toBeVisible(untilLapsed)
  await expect(field(ana)).toHaveValue('I was not')
  await write(cleo, 'Somebody was there.')
  await expect(yours(ana)).toBeVisible()
  await expect(field(ana)).toHaveValue('I was not')
  await button(ana, 'Send').click()
  await expect(cleo.getByText('I was not')).toBeVisible()

  const choose = async (page: Page, menu: string | RegExp, item: string, answer: string) => {
    await button(page, menu).and(page.locator(':visible')).press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.getByRole('alertdialog').getByRole('button', { name: answer }).press('Enter')
  }
  await expect(yours(ben)).toBeVisible()
  await expect(button(ben, 'Table')).toBeHidden()
  await choose(ana, 'Table', 'Close table', 'Close table')
  for (const page of [ana, ben, cleo]) await expect(page.getByText('Closed', { exact: true })).toBeVisible()
  await examine(ana, 'the table of its creator')
  await choose(ana, /^Ben Ode/, 'Remove Ben Ode…', 'Remove')
  await expect(ben.getByRole('alert').getByText('You are no longer at this table.')).toBeVisible()
  await expect(yours(cleo)).toBeVisible()
  await choose(ana, 'Table', 'End the story…', 'End the story')
  for (const page of [ana, cleo]) {
    await expect(field(page)).toBeHidden()
    await expect(page.getByText('I was not')).toBeVisible()
  }
})
