import type { Locator, Page } from '@playwright/test'
import { createDraft, deleteDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { coverOfCaret } from './caret.ts'
import { examine } from './examine.ts'
import { asVisitor, expect, type Person, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const text = (page: Page) => page.getByRole('textbox', { name: 'Your text' })
const poem = 'The moon\n\nThe moon is late tonight,\nand nobody minds.'

const saved = (page: Page) => expect(page.getByText(/^Saved \d/)).toBeVisible({ timeout: 15_000 })

/** Waits until the server has a draft that begins so. */
const stored = ({ client }: Person, beginning: string) =>
  expect
    .poll(async () => (await client.does(listDrafts)).map((draft) => draft.beginning), { timeout: 15_000 })
    .toEqual([beginning])

/** Chooses an action in the menu of an own post, which is a card or a row. */
async function choose(post: Locator, action: string) {
  await post.getByRole('button', { name: 'Your post' }).click()
  await post.page().getByRole('menuitem', { name: action }).click()
}

test('a person begins a draft on a phone and finishes it in a wide window [LOOP-01 LOOP-05 LOOP-06]', async ({
  page,
  open,
  app,
}) => {
  const ana = await app.signUp()
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, ana)
  await page.goto('/write')
  await expect(page).toHaveURL(/\/write\/[0-9a-f-]{36}$/)
  await text(page).fill('The moon is late tonight,')
  await saved(page)

  const other = await open({ viewport: { width: 1440, height: 800 } })
  await signIn(other, ana)
  await other.goto('/writing')
  await other.getByRole('link', { name: 'The moon is late tonight,' }).click()
  await expect(text(other)).toHaveValue('The moon is late tonight,')
  await text(other).press('ControlOrMeta+End')
  await text(other).pressSequentially('\nand nobody minds.')
  await text(other).press('ControlOrMeta+s')
  await saved(other)
  await stored(ana, 'The moon is late tonight,\nand nobody minds.')

  // The first device has not seen that: both texts are shown before one is replaced.
  await text(page).fill('The moon was late.')
  const both = page.getByRole('dialog', { name: 'Two versions of this text' })
  await expect(both.getByLabel('Saved elsewhere')).toHaveValue(
    'The moon is late tonight,\nand nobody minds.',
    { timeout: 15_000 },
  )
  await both.getByRole('button', { name: 'Use the other version' }).click()
  await expect(text(page)).toHaveValue('The moon is late tonight,\nand nobody minds.')
})

test('a person who opens the page to write types at once, and no letter is taken for a shortcut; on a phone the header stays [LOOP-01]', async ({
  page,
  app,
}) => {
  const typed = 'n/?[]g d jk'
  await page.setViewportSize({ width: 1440, height: 800 })
  await signIn(page, await app.signUp())
  await page.goto('/write')
  await expect(text(page)).toBeEditable()
  await page.keyboard.type(typed)
  await expect(text(page)).toHaveValue(typed)
  await saved(page)
  await page.goto('/dashboard')
  // Before it is shown the page takes no keys.
  await expect(page.getByRole('heading', { name: 'Feed' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await expect(text(page)).toBeEditable()
  await page.keyboard.type(typed)
  await expect(text(page)).toHaveValue(typed)
  await saved(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.reload()
  await expect(text(page)).toHaveValue(typed)
  await expect(page.getByRole('banner')).toBeVisible()
})

test('a person who writes on a phone reads a draft again, and keeps one that is gone, with one press each [LOOP-05]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/^Failed to load/)
  const ana = await app.signUp()
  const { id } = await ana.client.does(createDraft, { input: { content: 'The moon' } })
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, ana)
  await page.route(`**/api/drafts/${id}`, (route) => route.fulfill({ status: 403 }))
  await page.goto(`/write/${id}`)
  const failure = page.getByText('What is saved of this draft could not be read.')
  await expect(failure).toBeVisible()
  await text(page).focus()
  await expect(page.getByRole('banner')).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toBeHidden()
  await expect(text(page)).toHaveValue('The moon')
  await ana.client.does(deleteDraft, { params: { id } })
  await text(page).press('ControlOrMeta+End')
  await text(page).pressSequentially(' is late')
  await page.getByRole('button', { name: 'Keep it as a new draft' }).click()
  await stored(ana, 'The moon is late')
  await expect(text(page)).toBeFocused()
})

test('a person on a phone goes from Create Post to the page and back without losing a letter [LOOP-02]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Create Post' }).click()
  await expect(text(page)).toBeEditable()
  await text(page).pressSequentially('The moon is lat')
  await page.getByRole('button', { name: 'Open as a page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Write' })).toBeVisible()
  await expect(text(page)).toHaveValue('The moon is lat')
  await expect(text(page)).toBeEditable()
  await text(page).press('ControlOrMeta+End')
  await text(page).pressSequentially('e')
  await text(page).blur()
  await page.getByRole('button', { name: 'Back to the feed' }).click()
  await expect(page.getByRole('dialog', { name: 'Create Post' })).toBeVisible()
  await expect(text(page)).toHaveValue('The moon is late')
  await page.reload()
  await page.getByRole('button', { name: 'Create Post' }).click()
  await expect(text(page)).toHaveValue('The moon is late')
})

test('a person publishes a poem with tags in the step after writing, and finds both accessible at any width, by day and by night [LOOP-01 LOOP-03 LOOP-04 LOOP-06]', async ({
  page,
  app,
}) => {
  test.slow()
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto('/write')
  await text(page).fill(poem)
  await saved(page)
  await text(page).blur()
  await examine(page, '/write')
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.getByRole('button', { name: 'Publish…' }).click()
  const step = page.getByRole('dialog', { name: 'Publish' })
  await expect(step).toBeVisible()
  await examine(page, 'Publish')
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(step.getByRole('radio', { name: 'Verse' })).toBeChecked()
  await expect(step.getByRole('radio', { name: /^Standard/ })).toBeChecked()
  await step.getByLabel('Tags (optional)').fill('night, moon')
  await step.getByLabel('Category').selectOption('Poetry')
  await step.getByRole('radio', { name: /^Premium/ }).check()
  await step.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/posts\//)
  await expect(page.getByRole('heading', { level: 1, name: 'The moon' })).toBeVisible()
  const [post] = await ana.client.does(getFeedDay, { params: { offset: '0' } })
  expect(post).toMatchObject({ content: poem, tags: ['night', 'moon'], category: 'Poetry' })
  expect(await ana.client.does(listDrafts)).toEqual([])
})

test('an author on a phone corrects a typo of a published premium post [LOOP-06]', async ({ page, app }) => {
  const ana = await app.signUp()
  const input = { content: 'The mooon is late', authorName: 'Ana', type: 'premium' } as const
  const { id } = await ana.client.does(submitPost, { input })
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, ana)
  await page.goto('/writing?list=published')
  await choose(page.getByRole('listitem').filter({ hasText: 'The mooon is late' }), 'Edit')
  await expect(text(page)).toHaveValue('The mooon is late')
  await text(page).fill('The moon is late')
  await page.getByRole('button', { name: 'Save changes…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
  await expect(page).toHaveURL(`/posts/${id}`)
  await expect(page.getByTestId('article-content').getByText('The moon is late')).toBeVisible()
  await expect.poll(async () => ana.client.does(listDrafts)).toEqual([])
})

test('an author on a phone corrects a premium post in the feed, restores its earlier text, deletes it and undoes that [LOOP-07 LOOP-08 LOOP-09]', async ({
  page,
  open,
  app,
}) => {
  const [first, second] = ['The sstation at night', 'The station at night']
  const viewport = { width: 390, height: 800 }
  await page.setViewportSize(viewport)
  await signIn(page, await app.signUp())
  await page.goto('/write')
  await text(page).fill(first)
  await page.getByRole('button', { name: 'Publish…' }).click()
  const step = page.getByRole('dialog', { name: 'Publish' })
  await step.getByRole('radio', { name: /^Premium/ }).check()
  await step.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/posts\//)

  const reader = await open({ baseURL: app.url, viewport })
  await asVisitor(reader)
  /** The post in the feed, as a person finds it who opens the feed now. */
  const inFeed = async (who: Page, content: string) => {
    await who.goto('/dashboard')
    return who.getByRole('article').filter({ has: who.getByText(content, { exact: true }) })
  }
  await expect(await inFeed(reader, first)).not.toContainText('edited')

  await choose(await inFeed(page, first), 'Edit')
  await expect(text(page)).toHaveValue(first)
  await text(page).fill(second)
  await page.getByRole('button', { name: 'Save changes…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
  await expect(page).toHaveURL(/\/posts\//)
  await expect(await inFeed(reader, second)).toContainText('edited')

  await choose(await inFeed(page, second), 'Versions')
  await page.getByRole('dialog').getByRole('button', { name: first }).click()
  const comparison = page.getByRole('dialog', { name: 'Earlier text' })
  await expect(comparison.locator('del')).toHaveText('sstation')
  await expect(comparison.locator('ins')).toHaveText('station')
  await comparison.getByRole('button', { name: 'Restore this text' }).click()
  await expect(page.getByText('The earlier text is back')).toBeVisible()
  await expect(await inFeed(reader, first)).toContainText('edited')

  const post = await inFeed(page, first)
  await choose(post, 'Delete')
  await expect(post).toHaveCount(0)
  const gone = await inFeed(reader, first)
  await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(gone).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The post is back')).toBeVisible()
  await expect(post).toBeVisible()
  await expect(await inFeed(reader, first)).toBeVisible()
})

test('a person who writes on the page sees the caret above the bars, in windows of three sizes [LOOP-01]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/write')
  const field = text(page)
  await expect(field).toBeEditable()
  for (const [width, height] of [
    [1440, 900],
    [820, 1180],
    [390, 480],
  ] as const) {
    await page.setViewportSize({ width, height })
    await field.fill('')
    await field.fill(Array.from({ length: 56 }, (_, at) => `Line ${at + 1}`).join('\n'))
    for (const key of [
      'ControlOrMeta+End',
      'Enter',
      'x',
      'Enter',
      'PageUp',
      'ArrowUp',
      'ControlOrMeta+Home',
      'ControlOrMeta+End',
      'x',
    ]) {
      await page.keyboard.press(key)
      expect(await coverOfCaret(field), `${key} at ${width} px`).toBe(null)
    }
    await expect(page.getByRole('button', { name: 'Publish…' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByText(/words, \d+ min to read/)).toBeInViewport({ ratio: 1 })
  }
})

test('a person writes in a draft of 50,000 characters without a key press over 16 ms [LOOP-01]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/write')
  const field = text(page)
  await field.fill('It rained all night on the roof of the old station. \n'.repeat(950).slice(0, 49_900))
  await saved(page)
  await field.press('ControlOrMeta+End')
  const times = await field.evaluate((area: HTMLTextAreaElement) => {
    area.focus()
    return Array.from({ length: 30 }, () => {
      const start = performance.now()
      document.execCommand('insertText', false, 'a')
      return performance.now() - start
    })
  })
  expect(times.toSorted((one, other) => one - other)[15]!).toBeLessThan(16)
})
