import type { Locator, Page } from '@playwright/test'
import { addFriend } from '#contract/friends/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { coverOfCaret } from './caret.ts'
import { makeRoom } from './people.ts'
import { type App, expect, type Person, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const sizes = [
  [1440, 900],
  [820, 1180],
  [390, 844],
  // A phone with its keyboard open.
  [390, 480],
] as const

/** Where people write many lines, and how they get there. */
const places: Record<string, (page: Page, app: App, ana: Person) => Promise<Locator>> = {
  'a post': async (page) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Create Post' }).click()
    return page.getByRole('textbox', { name: 'Your text' })
  },
  'the diary': async (page) => {
    await page.goto('/diary?day=2025-06-10')
    return page.getByPlaceholder('Write...')
  },
  'a note of the calendar': async (page) => {
    await page.goto('/calendar')
    await page.getByRole('button', { name: / 15, 20\d\d/ }).click()
    return page.getByRole('textbox', { name: 'Note' })
  },
  'a passage of a room': async (page, _app, ana) => {
    const room = await makeRoom(ana)
    await page.goto(roomPath(room.id))
    return page.getByPlaceholder('Continue the story...')
  },
  'a message': async (page, app, ana) => {
    const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
    await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
    await page.goto(`/messages?friend=${ben.user.id}`)
    return page.getByPlaceholder('Write a message…')
  },
}

for (const [place, open] of Object.entries(places))
  test(`a person who writes ${place} sees the caret at every width while they type, paste, move and click [DIARY-06]`, async ({
    page,
    app,
  }) => {
    test.slow()
    const ana = await app.signUp()
    await signIn(page, ana)
    const field = await open(page, app, ana)
    for (const [width, height] of sizes) {
      const press = async (...keys: string[]) => {
        for (const key of keys) {
          await page.keyboard.press(key)
          expect(await coverOfCaret(field), `${key} at ${width} × ${height}`).toBe(null)
        }
      }
      await page.setViewportSize({ width, height })
      await expect(field).toBeEditable()
      await field.fill(lines(56))
      // In rooms and messages Enter alone sends.
      for (let line = 57; line <= 60; line++) await press('Shift+Enter')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('ControlOrMeta+c')
      await press('ControlOrMeta+Home', 'ControlOrMeta+v', 'PageUp', 'ArrowDown')
      const [first, last] = await edges(field)
      // A line that is half out of sight is scrolled to at the next key, as in every text field of the browser.
      await page.mouse.click(...first)
      await press('x', 'ArrowUp', 'ArrowUp')
      await page.mouse.click(...last)
      await press('x', 'ArrowDown', 'ArrowDown')
    }
  })

const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i + 1}`).join('\n')

/** The first and the last point of the text that are in sight. */
const edges = (field: Locator) =>
  field.evaluate((area) => {
    const { top, bottom, left } = area.getBoundingClientRect()
    const x = left + 60
    const seen: [number, number][] = []
    for (let y = Math.max(0, Math.ceil(top)); y < Math.min(bottom, innerHeight); y++)
      if (document.elementFromPoint(x, y) === area) seen.push([x, y])
    return [seen[0]!, seen.at(-1)!] as const
  })

test('a person on a phone finds the bar of Create Post at the lower edge, whether the text is short or long', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.setViewportSize({ width: 390, height: 844 })
  const field = await places['a post']!(page, app, app.admin)
  const bar = page.getByRole('dialog').locator('[data-foot]')
  for (const text of ['', 'A line.\n'.repeat(60)]) {
    await field.fill(text)
    await expect.poll(() => bar.evaluate((element) => element.getBoundingClientRect().bottom)).toBe(844)
  }
})
