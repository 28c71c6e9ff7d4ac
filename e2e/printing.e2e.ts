import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { register, login } from '#contract/account/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { startWithClock } from './clock.ts'
import { makeRoom } from './people.ts'
import { expect, test } from './test.ts'

/** Each paragraph begins with a word that stands nowhere else, and ends with another one. */
const paragraphs = Array.from(
  { length: 40 },
  (_, i) => `begin${i}x ${'The ferry went over the dark water, and nobody spoke. '.repeat(12)}end${i}x`,
)
const article = `The ferry\n\n${paragraphs.join('\n\n')}`

let server: Awaited<ReturnType<typeof startWithClock>>
let ids: Record<'article' | 'story', string>

test.beforeAll(async ({ processes }) => {
  server = await startWithClock(processes)
  const client = () => new HttpClient(() => server.url)
  const admin = client()
  await admin.does(login, { input: administrator })
  const ana = client()
  await ana.does(register, {
    input: { email: 'ana@example.org', password: 'secret1', firstName: 'Ana', lastName: 'Lima' },
  })
  const publish = async (content: string) => {
    const post = await ana.does(submitPost, { input: { content, authorName: 'Ana Lima' } })
    return (await admin.does(approvePost, { params: { id: post.id } })).id
  }
  const write = async (contents: string[]) => {
    const room = await makeRoom({ client: ana }, { duration: 15 })
    for (const content of contents)
      await ana.does(sendPassage, { params: { id: room.id }, input: { content } })
    return room
  }
  const story = await write(paragraphs)
  ids = { article: await publish(article), story: story.id }
  await server.restart('SIGTERM', new Date(Date.parse(story.expiresAt) + 1000))
})

test.afterAll(() => server.stop())

/** The text of the page as it is printed, page by page. */
async function print(page: Page): Promise<string[]> {
  const pdf = await page.pdf({ format: 'A4' })
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
  return text.split('\f').slice(0, -1)
}

const wordsIn = (printed: string[]) => printed.join('\n').match(/(begin|end)\d+x/g)
const everyWord = paragraphs.flatMap((_, i) => [`begin${i}x`, `end${i}x`])
const bars =
  /Skip to content|Sign In|Browse|Diary|Messages|Comments|Create Post|Go to the feed|Close|©|Finished stories|Download/

test('a printed article is the article once, from its title to its last line, on several pages [ART-01]', async ({
  open,
}) => {
  const page = await open({ baseURL: server.url })
  await page.goto(`/posts/${ids.article}`)
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

  const withoutScripts = await open({ baseURL: server.url, javaScriptEnabled: false })
  await withoutScripts.goto(`/posts/${ids.article}`)
  for (const printed of [alone, overFeed, await print(withoutScripts)]) {
    expect(printed.length).toBeGreaterThan(5)
    expect(wordsIn(printed)).toEqual(everyWord)
    const text = printed.join('\n')
    expect(text.match(/^ *The ferry *$/gm)).toHaveLength(1)
    expect(text.match(/Ana Lima/g)).toHaveLength(1)
    expect(text).not.toMatch(bars)
    expect(text.trim()).toMatch(/end39x$/)
  }
})

test('a printed story is the story once, from its first passage to its last', async ({ open }) => {
  const page = await open({ baseURL: server.url })
  await page.goto(storyPath(ids.story))
  await expect(page.getByRole('heading', { name: 'Contributors' })).toBeVisible()
  // The first letter of the story is an initial, which stands apart in the printed text.
  expect(wordsIn(await print(page))).toEqual(everyWord.slice(1))
})
