import type { Page } from '@playwright/test'
import { type App, asVisitor, expect, shareSession, test } from './test.ts'

interface FirstPage {
  who: string
  path: string
  file: string
  heading: string
  enter?: (page: Page, app: App) => Promise<void>
}

function asAdmin(page: Page, app: App) {
  return shareSession(page, app.admin)
}

const feed = { path: '/dashboard', file: 'FeedPage', heading: 'Feed' }
const firstPages: FirstPage[] = [
  { who: 'a visitor without a session', path: '/', file: 'OnboardingPage', heading: 'About us' },
  { who: 'a visitor who browses', ...feed, enter: asVisitor },
  { who: 'a visitor of a page without the feed', path: '/about', file: 'other-pages', heading: 'Z!mmer' },
  { who: 'a person with a session', ...feed, enter: asAdmin },
  {
    who: 'a person who writes a diary',
    path: '/diary',
    file: 'DiaryPage',
    heading: 'My Diary',
    enter: asAdmin,
  },
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

for (const path of ['/dashboard', '/diary', '/calendar', '/messages', '/write', '/settings'])
  test(`${path} takes at most 25 scripts of a person with a session`, async ({ app, page }) => {
    await shareSession(page, app.admin)
    const scripts = new Set<string>()
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(request.url())
    })
    await page.goto(`${app.url}${path}`)
    await expect(page.locator('header [aria-haspopup=dialog]')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(scripts.size).toBeLessThanOrEqual(25)
  })
