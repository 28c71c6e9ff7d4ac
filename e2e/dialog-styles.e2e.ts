import type { CDPSession } from '@playwright/test'
import { asAdmin, expect, test } from './test.ts'

/** The numbers of elements whose style the browser computes at once during the work. */
async function styledDuring(devtools: CDPSession, work: () => Promise<void>): Promise<number[]> {
  const styled: number[] = []
  const collect = ({ value }: { value: object[] }) => {
    for (const { name, args } of value as { name: string; args: { elementCount?: number } }[])
      if (name === 'UpdateLayoutTree') styled.push(args.elementCount ?? 0)
  }
  devtools.on('Tracing.dataCollected', collect)
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  })
  await work()
  const isComplete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
  await devtools.send('Tracing.end')
  await isComplete
  devtools.off('Tracing.dataCollected', collect)
  return styled
}

test('a dialog that opens over the feed, or closes, does not make the browser compute the style of the whole page again', async ({
  page,
  app,
}) => {
  for (let n = 0; n < 20; n++)
    await app.publish({ content: `Post ${n}\n${'A line of a story.\n'.repeat(3)}` })
  await asAdmin(page)
  await page.goto('/dashboard', { waitUntil: 'networkidle' })
  // One of the parts that are loaded some seconds after the page adds this link. They change other parts of the page.
  await expect(page.locator('link[rel=manifest]')).toBeAttached()
  const opener = page.getByRole('button', { name: 'Create Post' })
  const dialog = page.getByRole('dialog', { name: 'Create Post' })
  // The first opening fetches the files of the dialog, which also changes other parts of the page.
  await opener.click()
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()

  const elements = await page.locator('#root *').count()
  expect(elements).toBeGreaterThan(500)
  const devtools = await page.context().newCDPSession(page)
  const opened = await styledDuring(devtools, async () => {
    await opener.click()
    await expect(dialog.getByRole('textbox').first()).toBeFocused()
  })
  expect(Math.max(...opened)).toBeLessThan(elements / 2)
  // The elements of the dialog get their style once.
  const ofDialog = await dialog.locator('*').count()
  expect(opened.filter((count) => count > ofDialog / 2)).toHaveLength(1)
  const closed = await styledDuring(devtools, async () => {
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  })
  expect(Math.max(...closed)).toBeLessThan(elements / 2)
})
