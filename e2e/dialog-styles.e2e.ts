import type { CDPSession } from '@playwright/test'
import { asAdmin, expect, test } from './test.ts'

/** The most elements whose style the browser computes at once during the work. */
async function mostStyled(devtools: CDPSession, work: () => Promise<void>): Promise<number> {
  let most = 0
  devtools.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as { name: string; args: { elementCount?: number } }[])
      if (name === 'UpdateLayoutTree') most = Math.max(most, args.elementCount ?? 0)
  })
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  })
  await work()
  const isComplete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
  await devtools.send('Tracing.end')
  await isComplete
  return most
}

test('a dialog that opens over the feed, or closes, does not make the browser compute the style of the whole page again', async ({
  page,
  app,
}) => {
  for (let n = 0; n < 20; n++)
    await app.publish({ content: `Post ${n}\n${'A line of a story.\n'.repeat(3)}` })
  await asAdmin(page)
  await page.goto('/dashboard', { waitUntil: 'networkidle' })
  const opener = page.getByRole('button', { name: 'Create Post' })
  const dialog = page.getByRole('dialog', { name: 'Create Post' })
  // The first time its files are fetched, which changes other parts of the page.
  await opener.click()
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()

  const elements = await page.locator('#root *').count()
  expect(elements).toBeGreaterThan(500)
  const devtools = await page.context().newCDPSession(page)
  const opened = await mostStyled(devtools, async () => {
    await opener.click()
    await expect(dialog.getByRole('textbox').first()).toBeFocused()
  })
  expect(opened).toBeLessThan(elements / 2)
  const closed = await mostStyled(devtools, async () => {
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  })
  expect(closed).toBeLessThan(elements / 2)
})
