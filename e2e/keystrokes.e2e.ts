import type { Page } from '@playwright/test'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { crash, startPlayer } from './player.ts'
import { expect, type Person, signIn, test } from './test.ts'
import {
  changeOf,
  hasTraces,
  randomMoments,
  readBlogPost,
  readFriends,
  startRandom,
  statesOf,
} from './traces.ts'

// `TRACES=full npm run e2e` plays all keystrokes; without it the first minutes of each recording are played.
const isFull = process.env.TRACES === 'full'
const day = '2025-06-10'
const pace = 20
const separator = '\n\n'

const sheet = (page: Page) => page.getByRole('textbox', { name: /^Entry of/ })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const storedText = async ({ client }: Person) =>
  (await client.does(getDiaryEntry, { params: { day } })).content

test.skip(!hasTraces, 'The recorded keystrokes are not on this machine.')

test('a person whose page crashes while they write loses at most one second of text [R22]', async ({
  app,
  context,
}) => {
  test.setTimeout(isFull ? 1_200_000 : 180_000)
  const { changes: all, endContent } = readBlogPost(pace)
  const changes = isFull ? all : all.slice(0, 600)
  const states = statesOf(changes)
  const kills = randomMoments(startRandom(), changes.length, isFull ? 20 : 3)
  const ana = await app.signUp()
  const player = await startPlayer(context)
  let page = await context.newPage()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  let from = 0
  let largestLagMs = 0
  for (const kill of kills) {
    await expect(sheet(page)).toBeEditable()
    player.play(sheet(page), changes, { from, to: changes.length }).catch(() => {})
    await expect.poll(() => player.playedAt.has(kill), { timeout: 0, intervals: [5] }).toBe(true)
    await crash(context, page)
    page = await context.newPage()
    await page.goto(`/diary?day=${day}`)
    await expect(page.getByText('Safe on this device')).toBeVisible()
    const last = Math.max(...player.playedAt.keys())
    const kept = states.lastIndexOf(await sheet(page).inputValue(), last + 1)
    expect(kept, 'the kept text was typed at some moment').toBeGreaterThanOrEqual(from)
    const lagMs = kept > last ? 0 : player.playedAt.get(last)! - player.playedAt.get(kept)!
    expect(lagMs).toBeLessThan(1000)
    largestLagMs = Math.max(largestLagMs, lagMs)
    for (const number of player.playedAt.keys()) if (number >= kept) player.playedAt.delete(number)
    from = kept
  }
  await player.play(sheet(page), changes, { from, to: changes.length })
  await button(page, 'Save Entry').click()
  await expect(button(page, 'Edit Entry')).toBeVisible()
  expect(await storedText(ana)).toBe(isFull ? endContent : states.at(-1))
  console.log(`${changes.length} keystrokes, ${kills.length} crashes, at most ${largestLagMs} ms lost`)
})

test('the keystrokes of two writers give their common text again when they are separated and merged', () => {
  test.setTimeout(180_000)
  test.skip(!isFull, 'Slow: runs only with TRACES=full.')
  const { text, endContent } = readFriends()
  expect(text).toBe(endContent)
})

test('two writers in two tabs of one day are asked at every conflict, and lose nothing [R22 DIARY-47]', async ({
  app,
  context,
}) => {
  test.setTimeout(isFull ? 1_200_000 : 180_000)
  const { alone } = readFriends(isFull ? undefined : 1500)
  const rounds = isFull ? 20 : 4
  const ana = await app.signUp()
  const player = await startPlayer(context)
  const writers = await Promise.all(
    alone.map(async (keystrokes) => {
      const changes = keystrokes.map(changeOf)
      return {
        changes,
        states: statesOf(changes),
        page: await context.newPage(),
        from: 0,
        saved: '',
        others: '',
      }
    }),
  )
  await signIn(writers[0]!.page, ana)
  for (const { page } of writers) {
    await page.goto(`/diary?day=${day}`)
    await expect(sheet(page)).toBeEditable()
  }
  const ownText = (writer: (typeof writers)[number]) => writer.states[writer.from]!
  let [conflicts, saves] = [0, 0]

  for (let round = 1; round <= rounds; round++) {
    await Promise.all(
      writers.map(async (writer) => {
        const { changes, page, from, others } = writer
        const to = Math.round((changes.length * round) / rounds)
        await player.play(sheet(page), changes, { from, to, shift: others.length })
        writer.from = to
      }),
    )
    for (const writer of writers) {
      const { page } = writer
      const other = writers.find((candidate) => candidate !== writer)!
      const before = await storedText(ana)
      await expect(sheet(page)).toHaveValue(writer.others + ownText(writer))
      await button(page, 'Save Entry').click()
      saves++
      if (before !== '') {
        const question = page.getByRole('dialog', { name: 'Two versions of this text' })
        await expect(question.getByLabel('Saved elsewhere')).toHaveValue(before)
        expect(await storedText(ana)).toBe(before)
        conflicts++
        await button(page, 'Keep both').click()
        await expect(sheet(page)).toHaveValue(before + separator + writer.others + ownText(writer))
        // The writer puts the text of the other writer first, and their own text after it.
        writer.others = other.saved + separator
        await sheet(page).fill(writer.others + ownText(writer))
        await button(page, 'Save Entry').click()
        saves++
      }
      await button(page, 'Edit Entry').click()
      writer.saved = ownText(writer)
      expect(await storedText(ana)).toBe(writer.others + ownText(writer))
    }
  }
  const stored = await storedText(ana)
  for (const writer of writers) expect(stored).toContain(writer.states.at(-1))
  expect(conflicts).toBe(2 * rounds - 1)
  console.log(`${alone.flat().length} keystrokes in two tabs, ${saves} saves, ${conflicts} questions`)
})
