import type { Locator } from '@playwright/test'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { arabic, hebrew, test } from './finished.ts'
import { expect, shareSession } from './test.ts'

/** How far words stand out of the padding of the element, in pixels. The space at the end of a line has no limit. */
const measure = (element: Locator) =>
  element.evaluate((box) => {
    const { left, right } = box.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(box)
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    const words: DOMRect[] = []
    while (texts.nextNode())
      for (const { index, 0: word } of texts.currentNode.textContent!.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + word.length)
        words.push(...range.getClientRects())
      }
    const out = words.map((word) =>
      Math.max(left + parseFloat(paddingLeft) - word.left, word.right - (right - parseFloat(paddingRight))),
    )
    return { words: words.length, px: Math.max(...out) }
  })

async function expectWordsInside(element: Locator) {
  await expect(element).toBeVisible()
  const { words, px } = await measure(element)
  expect(words).toBeGreaterThan(20)
  expect(px).toBeLessThan(1)
}

/** The first line of verse begins at the right edge of its text, and the rest of it, where it turned, further left. */
async function expectRightToLeft(line: Locator) {
  const { direction, starts } = await line.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const edge = element.getBoundingClientRect().right
    const ends = new Map<number, number>()
    for (const { top, right } of range.getClientRects())
      ends.set(Math.round(top), Math.max(ends.get(Math.round(top)) ?? 0, right))
    return {
      direction: getComputedStyle(element).direction,
      starts: [...ends.values()].map((right) => Math.round(edge - right)),
    }
  })
  expect(direction).toBe('rtl')
  expect(starts[0]).toBe(0)
  for (const turned of starts.slice(1)) expect(turned).toBeGreaterThan(10)
  return starts.length
}

for (const width of [390, 1440])
  test(`a reader sees every word of Arabic and Hebrew verse inside its card, and each line begin at the right, at a width of ${width} px`, async ({
    open,
    finished,
  }) => {
    const page = await open({ baseURL: finished.url, viewport: { width, height: 900 } })
    const verseIn = (part: Locator) => part.locator('.verse-line').first()
    await page.goto('/dashboard')
    for (const line of [hebrew, arabic]) {
      const card = page.getByTestId('post-content').filter({ hasText: line })
      await expectWordsInside(card)
      await expectRightToLeft(verseIn(card))
    }
    const { articles, rooms, people } = finished
    for (const id of [articles.hebrew, articles.arabic]) {
      await page.goto(`/posts/${id}`)
      const article = page.getByTestId('article-content')
      await expectWordsInside(article)
      const rows = await expectRightToLeft(verseIn(article))
      if (width === 390) expect(rows).toBeGreaterThan(1)
    }
    await page.goto(storyPath(rooms.verses))
    const passages = page.getByRole('list', { name: 'The story' }).getByRole('listitem')
    await expect(passages).toHaveCount(2)
    for (const passage of await passages.all()) {
      await expectWordsInside(passage)
      await expectRightToLeft(verseIn(passage))
    }
    await page.goto(`/people/${people.noa}`)
    for (const line of [hebrew, arabic]) {
      const post = page.getByRole('article').filter({ hasText: line })
      await expectWordsInside(post)
      await expectRightToLeft(verseIn(post))
    }
  })

test('a writer of Arabic reads the own entries from the right on the paper, in the reports and in the calendar', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  // Short, because the calendar shows 50 characters.
  const sentence = arabic.split(' ').slice(0, 3).join(' ')
  const content = `${sentence}.\nA line from the left.`
  for (const date of ['2025-01-10', '2025-06-10'])
    await ana.client.does(saveDiaryEntry, { input: { date, content } })
  await shareSession(page, ana)
  for (const [path, count] of [
    ['/diary?view=paper', 2],
    ['/reports', 3],
    ['/calendar?day=2025-06-10', 1],
  ] as const) {
    await page.goto(path)
    const texts = page.locator('main p').filter({ hasText: sentence })
    await expect(texts).toHaveCount(count)
    for (const text of await texts.all()) {
      // In a text that is taken to run from the left, the full stop stands at the right of the first line.
      const isStopAtTheLeft = await text.evaluate((element, length) => {
        const left = (start: number) => {
          const range = document.createRange()
          range.setStart(element.firstChild!, start)
          range.setEnd(element.firstChild!, start + 1)
          return range.getBoundingClientRect().left
        }
        return left(length) < left(length - 1)
      }, sentence.length)
      expect(isStopAtTheLeft, path).toBe(true)
    }
  }
})

test('a reader of a frame that runs from right to left sees arrows point the other way, and other icons as they are', async ({
  open,
  finished,
}) => {
  const page = await open({ baseURL: finished.url, viewport: { width: 1440, height: 900 } })
  await page.goto('/dashboard')
  const mirrored = () =>
    page
      .locator('svg[data-icon]')
      .evaluateAll((icons) =>
        icons
          .filter((icon) => getComputedStyle(icon).scale === '-1 1')
          .map((icon) => icon.getAttribute('data-icon')),
      )
  await expect(page.locator('svg[data-icon=chevron-left]').first()).toBeVisible()
  expect(await mirrored()).toEqual([])
  await page.evaluate(() => void (document.documentElement.dir = 'rtl'))
  const found = await mirrored()
  expect(found).toContain('chevron-left')
  expect(found).toContain('chevron-right')
  expect(found.filter((name) => !/-(left|right)\b|^log-out$/.test(name!))).toEqual([])
  expect(await page.locator('svg[data-icon=heart]').count()).toBeGreaterThan(0)
})
