import type { Page } from '@playwright/test'
import { login, register } from '#contract/account/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { makeNextVersion } from '../scripts/testing/next-version.ts'
import { removeDataFolder, type RunningServer, startServer } from '../scripts/testing/running-server.ts'
import { copyUsedFolder } from '../scripts/testing/used-folder.ts'
import { day, edit, save, sheet } from './diary.ts'
import { go } from './navigation.ts'
import { expect, test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

let next: Awaited<ReturnType<typeof makeNextVersion>>
let dataDir: string
let server: RunningServer
let url: string

test.beforeAll(async () => {
  next = await makeNextVersion({
    index: (code) => `${code};document.documentElement.dataset.version='next'`,
    CalendarPage: (code) => code.replace('children:`Calendar`', 'children:`The next calendar`'),
  })
})
test.afterAll(() => next.remove())

test.beforeEach(async ({ forgive }) => {
  forgive(/^Failed to|error loading dynamically|ERR_|TypeError/)
  dataDir = await copyUsedFolder()
  server = await startServer({ dataDir })
  url = server.url
})
test.afterEach(async () => {
  await server.end('SIGTERM')
  await removeDataFolder(dataDir)
})

/** Ends the server, and starts the next version at the same address. */
const update = () => restart({ command: next.command })
/** Ends the server, and starts the first version at the same address. */
const goBack = () => restart({})

async function restart(version: { command?: typeof next.command }) {
  await server.end('SIGTERM')
  server = await startServer({ dataDir, settings: { PORT: new URL(url).port }, ...version })
}

async function signUp(page: Page) {
  const input = { firstName: 'Ana', lastName: 'Lima', email: 'ana@example.org', password: 'secret1' }
  const client = new HttpClient(() => url)
  await client.does(register, { input })
  await page.request.post(`${url}${login.path}`, { data: input })
}

/** A browser with a session, in which the worker has stored the first version. */
async function install(page: Page) {
  await signUp(page)
  await page.goto(`${url}/dashboard`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

const note = (page: Page) => page.getByRole('textbox', { name: /^Note/ })
const reload = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true })
const isNext = (page: Page) => page.locator('html[data-version=next]')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const caches = (page: Page) => page.evaluate(() => globalThis.caches.keys())

/** Opens a day, and types in it. The text is not saved. */
async function type(page: Page, text: string) {
  await page.goto(`${url}/diary?day=${day}`)
  await expect(sheet(page)).toBeEditable()
  await sheet(page).pressSequentially(text)
}

/** The browser looks for a new version, as it does by itself at each navigation, and stores its files. */
async function findUpdate(page: Page) {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const { installing, waiting } = await registration.update()
    if (waiting === null)
      await new Promise<void>((resolve) =>
        installing!.addEventListener('statechange', () => resolve(), { once: true }),
      )
  })
}

test('a person who types while the program is updated, and later goes back to the first version, types on and saves each time, and then finds the text in the other version [OWN-04 OWN-22]', async ({
  page,
}) => {
  await install(page)
  await type(page, 'Rain on')
  const before = await caches(page)
  await update()
  await findUpdate(page)
  await expect(page.getByText('A new version is ready.')).toBeVisible()
  await sheet(page).pressSequentially(' the roof')
  // A part of the old page that was not opened before.
  await go(page, '/calendar')
  await expect(heading(page, 'Calendar')).toBeVisible()
  await expect(isNext(page)).toHaveCount(0)
  await go(page, `/diary?day=${day}`)
  await expect(sheet(page)).toHaveValue('Rain on the roof')
  await sheet(page).pressSequentially(' of the station')
  await reload(page).click()
  await expect(isNext(page)).toBeAttached()
  await expect(sheet(page)).toHaveValue('Rain on the roof of the station')
  await expect(page.getByText('A new version is ready.')).toHaveCount(0)
  await go(page, '/calendar')
  await expect(heading(page, 'The next calendar')).toBeVisible()
  const after = await caches(page)
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)

  await go(page, `/diary?day=${day}`)
  await expect(sheet(page)).toHaveValue('Rain on the roof of the station')
  await goBack()
  await findUpdate(page)
  await expect(reload(page)).toBeVisible()
  await sheet(page).press('ControlOrMeta+End')
  await sheet(page).pressSequentially(' at night')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  await edit(page).click()
  await sheet(page).press('ControlOrMeta+End')
  await sheet(page).pressSequentially(' in June')
  await reload(page).click()
  await expect(isNext(page)).toHaveCount(0)
  await expect(sheet(page)).toHaveValue('Rain on the roof of the station at night in June')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a person whose page is never idle is told of a new version, which takes over when this only page is loaded again, and opens without a network; a file after its build was removed comes from the server, and nothing is stored again [OWN-01 OWN-04]', async ({
  page,
  context,
}) => {
  await install(page)
  const isBusy = await page.addInitScript(() => {
    const work = () => {
      if (Reflect.get(globalThis, 'isIdle') === true) return
      for (const until = performance.now() + 40; performance.now() < until;);
      requestAnimationFrame(work)
    }
    requestAnimationFrame(work)
  })
  await page.goto(`${url}/diary`)
  await update()
  await findUpdate(page)
  await expect(reload(page)).toBeVisible()
  const before = await caches(page)
  expect(before).toHaveLength(2)
  await isBusy.dispose()
  // A busy page may say too late that it is being left. Then the new version takes over at a later load.
  await page.evaluate(() => Reflect.set(globalThis, 'isIdle', true))
  await page.goto(`${url}/calendar`)
  await expect(heading(page, 'The next calendar')).toBeVisible()
  await expect.poll(() => caches(page)).toEqual(before.slice(1))
  await context.setOffline(true)
  await page.goto(`${url}/diary?day=${day}`)
  await expect(isNext(page)).toBeAttached()
  await expect(page.getByText('There is no connection.')).toBeVisible()

  await context.setOffline(false)
  const status = await page.evaluate(async () => {
    for (const name of await globalThis.caches.keys()) await globalThis.caches.delete(name)
    return (await fetch(document.querySelector<HTMLScriptElement>('script[data-entry]')!.src)).status
  })
  expect(status).toBe(200)
  expect(await caches(page)).toEqual([])
})

test('two old tabs with typed texts keep their parts beside a tab of the new version, also without a network, and are loaded again together; the new tab is left alone [OWN-04]', async ({
  page: first,
  context,
}) => {
  await install(first)
  await type(first, 'Rain on the roof')
  const second = await context.newPage()
  await second.goto(`${url}/calendar?day=${day}`)
  await expect(note(second)).toBeEditable()
  await note(second).pressSequentially('Bread')
  await update()
  const third = await context.newPage()
  await third.goto(`${url}/diary`)
  await expect(isNext(third)).toBeAttached()
  await findUpdate(third)
  await third.reload()
  await third.evaluate(() => Reflect.set(globalThis, 'isOpenSince', 'the update'))
  await expect(reload(first)).toBeVisible()
  await expect(reload(third)).toHaveCount(0)
  expect(await caches(third)).toHaveLength(2)
  await context.setOffline(true)
  await go(first, '/calendar')
  await expect(heading(first, 'Calendar')).toBeVisible()
  await expect(isNext(first)).toHaveCount(0)
  await go(first, `/diary?day=${day}`)
  await context.setOffline(false)
  await second.bringToFront()
  await note(second).pressSequentially(' and salt')
  await reload(second).click()
  for (const page of [first, second]) await expect(isNext(page)).toBeAttached()
  await expect(sheet(first)).toHaveValue('Rain on the roof')
  await expect(note(second)).toHaveValue('Bread and salt')
  expect(await third.evaluate(() => Reflect.get(globalThis, 'isOpenSince'))).toBe('the update')
  expect(await caches(third)).toHaveLength(1)
})

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a page whose part is missing after an update is loaded again once, with the typed text [OWN-04]', async ({
    page,
    context,
  }) => {
    await signUp(page)
    await type(page, 'Rain on the roof')
    // The part that does this is loaded some seconds after the page.
    await expect(page.locator('link[rel=manifest]')).toBeAttached()
    let missing = 0
    await context.route('**/assets/CalendarPage-*.js', (route) => {
      missing++
      return route.fulfill({ status: 404 })
    })
    await update()
    await context.setOffline(true)
    await go(page, '/calendar')
    const failed = page.getByText('This page could not be shown.')
    await expect(failed).toBeVisible()
    await expect(isNext(page)).toHaveCount(0)
    await go(page, `/diary?day=${day}`)
    await expect(sheet(page)).toBeEditable()
    await sheet(page).pressSequentially(' of the station')
    await context.setOffline(false)
    await go(page, '/calendar')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(isNext(page)).toBeAttached()
    // Its part is missing too: it is not loaded again.
    await page.evaluate(() => Reflect.set(globalThis, 'isLoadedAgain', 'no'))
    await expect(failed).toBeVisible()
    await expect(page.locator('link[rel=manifest]')).toBeAttached()
    const before = missing
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => missing).toBeGreaterThan(before + 2)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isLoadedAgain'))).toBe('no')
    await page.goto(`${url}/diary?day=${day}`)
    await expect(sheet(page)).toHaveValue('Rain on the roof of the station')
  })

  test('a page that comes back in the old version, without a part, is loaded again only once [OWN-04]', async ({
    page,
    context,
  }) => {
    await signUp(page)
    const old = await (await page.request.get(`${url}/calendar`)).text()
    let opened = 0
    await context.route(`${url}/calendar`, (route) => {
      opened++
      return route.fulfill({ body: old, contentType: 'text/html' })
    })
    await context.route('**/assets/CalendarPage-*.js', (route) => route.fulfill({ status: 404 }))
    await page.goto(`${url}/diary`)
    const works = page.locator('link[rel=manifest]')
    await expect(works).toBeAttached()
    await update()
    await go(page, '/calendar')
    await expect.poll(() => opened).toBe(1)
    await expect(works).toBeAttached()
    for (let n = 0; n < 2; n++) {
      const asked = page.waitForResponse('**/shell')
      await page.getByRole('button', { name: 'Try again' }).click()
      await asked
    }
    await expect(page.getByText('This page could not be shown.')).toBeVisible()
    expect(opened).toBe(1)
  })
})
