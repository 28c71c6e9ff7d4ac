import type { Page } from '@playwright/test'
import { type App, asVisitor, expect, shareSession, test } from './test.ts'

interface FirstPage {
  who: string
  path: string
  file: string
  heading: string
  enter?: (page: Page, app: App) => Promise<void>
}

const feed = { path: '/dashboard', file: 'FeedPage', heading: 'Feed' }
const firstPages: FirstPage[] = [
  { who: 'a visitor without a session', path: '/', file: 'OnboardingPage', heading: 'About us' },
  { who: 'a visitor who browses', ...feed, enter: asVisitor },
  { who: 'a visitor of a page without the feed', path: '/about', file: 'other-pages', heading: 'Z!mmer' },
  { who: 'a person with a session', ...feed, enter: (page, app) => shareSession(page, app.admin) },
]

for (const { who, path, file, heading, enter } of firstPages) {
  test(`${who} gets the file ${file} beside the entry script, not after it`, async ({ app, page }) => {
    await enter?.(page, app)
    const isRequested = page.waitForRequest((request) => request.url().includes(`/assets/${file}-`))
    await page.route('**/assets/index-*.js', async (route) => {
      await isRequested
      await route.continue()
    })
    await page.goto(`${app.url}${path}`)
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
  })
}
