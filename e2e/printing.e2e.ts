import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { storyPath } from '#contract/rooms/paths.ts'
import { paragraphs, test } from './finished.ts'
import { expect } from './test.ts'

/** The text of the page as it is printed, page by page. */
async function print(page: Page): Promise<string[]> {
  const pdf = await page.pdf({ format: 'A4' })
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
  return text.split('\f').slice(0, -1)
}

const wordsIn = (printed: string[]) => printed.join('\n').match(/(begin|end)\d+x/g)
const everyWord = paragraphs.flatMap((_, i) => [`begin${i}x`, `end${i}x`])
const bars =
  /Skip to content|Sign In|Sign Up|Browse|Diary|Messages|Comments|Create Post|Go to the feed|Close|©|Finished stories|Download/
const aroundArticle = /Print|Previous|Next|All posts|More by|About|minutes to read|Loading/
const otherPosts = /Rhea Quill|Noa Levi|Under the lamp|The owl has read|A line from the left/

test('a printed article is the article once, from its title to its last line, on several pages [ART-01 LOOP-21]', async ({
  open,
  finished,
}) => {
  const page = await open({ baseURL: finished.url })
  await page.goto(`/posts/${finished.articles.long}`)
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeVisible()
  const alone = await print(page)

  await page.goto('/dashboard')
  await page
    .getByRole('article')
    .filter({ hasText: 'The ferry' })
    .getByRole('link', { name: 'Continue reading' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'The ferry' })
  await expect(dialog.getByRole('heading', { name: 'Comments' })).toBeVisible()
  const overFeed = await print(page)

  const withoutScripts = await open({ baseURL: finished.url, javaScriptEnabled: false })
  // While its renderer is busy or starts, the server sends the page without its text.
  await expect(async () => {
    await withoutScripts.goto(`/posts/${finished.articles.long}`)
    await expect(withoutScripts.getByTestId('article-content')).toBeVisible({ timeout: 100 })
  }).toPass()
  for (const printed of [alone, overFeed, await print(withoutScripts)]) {
    expect(printed.length).toBeGreaterThan(5)
    expect(wordsIn(printed)).toEqual(everyWord)
    const text = printed.join('\n')
    expect(text.match(/^ *The ferry *$/gm)).toHaveLength(1)
    expect(text.match(/Ana Lima/g)).toHaveLength(1)
    expect(text).not.toMatch(bars)
    expect(text).not.toMatch(aroundArticle)
    expect(text).not.toMatch(otherPosts)
    expect(text.replace(/\s+/g, ' ')).toContain(paragraphs[7]!)
    expect(text.trim()).toMatch(/end39x$/)
  }
})

test('a printed story is the story once, from its first passage to its last', async ({ open, finished }) => {
  const page = await open({ baseURL: finished.url })
  await page.goto(storyPath(finished.rooms.long))
  await expect(page.getByRole('heading', { name: 'Contributors' })).toBeVisible()
  // The first letter of the story is an initial, which stands apart in the printed text.
  expect(wordsIn(await print(page))).toEqual(everyWord.slice(1))
})
