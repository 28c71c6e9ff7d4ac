import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { pagePaths } from '#contract/app/pages.ts'
import { asAdmin, asGuest, asVisitor, expect, signIn, test } from './test.ts'
import type { App } from './test.ts'

const widths = [390, 820, 1440]
const height = 900

test.describe.configure({ mode: 'parallel' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(180_000)

test('a visitor can use every page by any means, at any width, by day and by night', async ({
  page,
  app,
}) => {
  const post = await app.publish()
  await asVisitor(page)
  await examineAll(page, ['/?onboarding=true', ...pagePaths, `/posts/${post.id}`, '/no-such-page'])
})

test('a registered person can use every page by any means, at any width, by day and by night', async ({
  page,
  app,
}) => {
  await publishSome(app)
  await signIn(page, await app.signUp())
  await examineAll(page, pagePaths)
})

test('a guest can use the frame and the settings by any means, at any width, by day and by night', async ({
  page,
}) => {
  await asGuest(page)
  await examineAll(page, ['/dashboard', '/settings', '/messages'])
})

test('an admin can use the pages of the house by any means, at any width, by day and by night', async ({
  page,
  app,
}) => {
  await publishSome(app)
  await app.submit()
  await asAdmin(page)
  await examineAll(page, ['/dashboard', '/admin', '/admin-users'])
})

test('a registered person can use the dialogs by any means, at any width, by day and by night', async ({
  page,
  app,
}) => {
  const post = await app.publish()
  await signIn(page, await app.signUp())
  for (const name of ['Create Post', 'Change Password']) {
    await page.goto('/dashboard')
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await examine(page, name)
  }
  await page.goto(`/posts/${post.id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await examine(page, 'an article')
})

async function publishSome(app: App) {
  for (let count = 0; count < 5; count++) await app.publish()
}

async function examineAll(page: Page, paths: readonly string[]) {
  for (const path of paths) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await examine(page, path)
  }
}

/** Everything at each width by day; by night, when nothing but the colours differs, the contrasts. */
async function examine(page: Page, name: string) {
  const places: Record<string, string[]> = {}
  for (const theme of ['day', 'night'] as const) {
    await page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme)
    for (const width of widths) {
      await page.setViewportSize({ width, height })
      for (const fault of [...(await violations(page, theme)), ...(await sidewaysScrolling(page))])
        (places[fault] ??= []).push(`${width} px by ${theme}`)
    }
  }
  expect.soft(places, name).toEqual({})
}

async function violations(page: Page, theme: 'day' | 'night') {
  // The other mode opens a window of its own for each look.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const found = await (theme === 'day' ? axe : axe.withRules(['color-contrast'])).analyze()
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

async function sidewaysScrolling(page: Page) {
  const scrolls = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  return scrolls ? ['scrolls sideways'] : []
}
