import type { Page } from '@playwright/test'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { withSamples } from './page-instance.ts'
import { atMost, median, printTable } from './table.ts'

const rounds = 5
const devices = [
  { device: 'phone', width: 390, height: 844 },
  { device: 'desktop', width: 1440, height: 900 },
]

const browser = await launchChromium()
try {
  await withSamples(async (url) => {
    const figures = []
    for (const { device, width, height } of devices) {
      const longest: number[] = []
      for (let round = 0; round < rounds; round++) {
        const page = await browser.newPage({ viewport: { width, height } })
        longest.push(await longestTask(page, url))
        await page.close()
      }
      figures.push(atMost(`${device}: longest task`, median(longest), 50, 'ms', 0))
    }
    printTable(
      `A reader goes through the showcase and scrolls through all creators, median of ${rounds}`,
      figures,
    )
  })
} finally {
  await browser.close()
}

/**
 * Uses the showcase and the list of all creators once the page has loaded. Returns the longest task in milliseconds; 0 when all
 * took less than 50 ms.
 */
async function longestTask(page: Page, url: string): Promise<number> {
  await page.addInitScript({
    content: `
      sessionStorage.setItem('browsing', 'true')
      window.tasks = []
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.tasks.push(duration)
      }).observe({ type: 'longtask' })`,
  })
  const tasks = () => page.evaluate<number[]>('tasks')
  await page.goto(`${url}/zimmers`, { waitUntil: 'networkidle' })
  const whileLoading = (await tasks()).length
  for (const name of ['Pass', 'Approve', 'Pass']) {
    await page.getByRole('button', { name }).click()
    // The card slides for 300 ms, which belongs to what is measured.
    await page.waitForTimeout(500)
  }
  const end = page.getByText('All creators loaded!')
  for (let step = 0; step < 200 && !(await end.isVisible()); step++) {
    await page.mouse.wheel(0, 700)
    // As fast as a person turns a wheel.
    await page.waitForTimeout(50)
  }
  return Math.max(0, ...(await tasks()).slice(whileLoading))
}
