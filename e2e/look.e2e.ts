import type { Page } from '@playwright/test'
import { accents } from '#contract/instance/accents.ts'
import { changeInstanceSettings, getInstanceSettings } from '#contract/instance/endpoints.ts'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'
import { examine } from './examine.ts'
import { type App, expect, shareSession, test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

async function set({ app }: { app: App }, changes: Partial<InstanceSettings>) {
  const { client } = app.admin
  const { updatedAt: base } = await client.does(getInstanceSettings)
  await client.does(changeInstanceSettings, { input: { base, ...changes } })
}

// The settings hold for all tests of a worker.
test.afterEach(({ app }) => set({ app }, { accent: instanceDefaults.accent, icon: instanceDefaults.icon }))

/** The colour of the wordmark, as the browser draws it. */
const lampOf = (page: Page) =>
  page
    .getByRole('banner')
    .getByText('!', { exact: true })
    .evaluate((mark) => getComputedStyle(mark).color)

const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`

test('an admin chooses a colour and an icon; a visitor has both by day and by night, also without a network [INST-01]', async ({
  page: desk,
  open,
  app,
  forgive,
}) => {
  forgive(/Failed to fetch|^Failed to load resource/)
  await shareSession(desk, app.admin)
  await desk.goto('/admin?part=instance')
  await desk.getByRole('radio', { name: 'Sea' }).check()
  await desk.getByRole('radio', { name: 'Door' }).check()
  await desk.getByRole('button', { name: 'Save' }).click()
  await expect(desk.getByText('The settings are saved.').first()).toBeVisible()
  expect(await lampOf(desk)).toBe(rgb(accents.sea.day.lamp))
  await examine(desk, 'the look of the instance')

  const visitor = await open()
  await visitor.goto('/dashboard')
  expect(await lampOf(visitor)).toBe(rgb(accents.sea.day.lamp))
  await visitor.emulateMedia({ colorScheme: 'dark' })
  expect(await lampOf(visitor)).toBe(rgb(accents.sea.night.lamp))
  await expect(visitor.locator('link[rel=icon]')).toHaveAttribute('href', '/icon.svg?door-sea')

  await visitor.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  // The worker has stored the page without data in the colour of before.
  await set({ app }, { accent: 'rose' })
  await visitor.goto('/dashboard')
  expect(await lampOf(visitor)).toBe(rgb(accents.rose.night.lamp))
  const iconOf = () => visitor.evaluate(() => fetch('/icon.svg?door-rose').then((answer) => answer.text()))
  expect(await iconOf()).toContain(accents.rose.night.lamp)
  // The page works, and has kept its colour.
  await expect(visitor.locator('link[rel=manifest]')).toBeAttached()
  await visitor.context().setOffline(true)
  await visitor.goto('/about')
  await expect(visitor.locator('html[data-shell=true]')).toBeAttached()
  // The one that was stored.
  expect(await iconOf()).toContain(accents.sea.night.lamp)
  expect(await lampOf(visitor)).toBe(rgb(accents.rose.night.lamp))
})
