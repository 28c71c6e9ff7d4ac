import type { Page } from '@playwright/test'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { day, sheet } from './diary.ts'
import { crash, startPlayer } from './player.ts'
import { expect, signIn, test } from './test.ts'
import { hasTraces, randomMoments, readBlogPost, startRandom, statesOf } from './traces.ts'

// `TRACES=full npm run e2e` plays 25 times as many keystrokes, with more of each event.
const isFull = process.env.TRACES === 'full'
const pace = 20
const [kills, networkChanges, saves] = isFull ? [10, 50, 60] : [4, 20, 24]
/** How many of a hundred answers to a save are lost. */
const lostAnswers = 30

const status = (page: Page) => page.locator('form output')

test.skip(!hasTraces, 'The recorded keystrokes are not on this machine.')

test('a writer whose network goes and comes again and again and whose page is killed several times is at most a second behind, and nothing is doubled [OWN-20 R22]', async ({
  app,
  context,
  forgive,
}) => {
  test.setTimeout(isFull ? 1_200_000 : 180_000)
  forgive(/Failed to|ERR_|^Object$|Event/)
  const changes = readBlogPost(pace).changes.slice(0, isFull ? 15_000 : 600)
  const states = statesOf(changes)
  const typed = new Set(states)
  const random = startRandom()
  const events = [
    ...randomMoments(random, changes.length, kills).map((at) => ({ at, kind: 'kill' as const })),
    ...randomMoments(random, changes.length, networkChanges).map((at) => ({ at, kind: 'network' as const })),
    ...randomMoments(random, changes.length, saves).map((at) => ({ at, kind: 'save' as const })),
  ].toSorted((one, other) => one.at - other.at)

  const ana = await app.signUp()
  const player = await startPlayer(context)
  const sent: string[] = []
  await context.route(`**${saveDiaryEntry.path}`, async (route) => {
    sent.push((route.request().postDataJSON() as { content: string }).content)
    if (random() * 100 >= lostAnswers) return route.continue().catch(() => {})
    await route.fetch().catch(() => {})
    await route.abort().catch(() => {})
  })
  let isOffline = false
  const setOffline = async (offline: boolean) => context.setOffline((isOffline = offline))
  const openPage = async () => {
    await setOffline(false)
    const page = await context.newPage()
    await page.goto(`/diary?day=${day}`)
    await expect(sheet(page)).toHaveAttribute('aria-busy', 'false')
    return page
  }
  let page = await context.newPage()
  await signIn(page, ana)
  await page.close()
  page = await openPage()
  let from = 0
  let largestLagMs = 0
  const play = () => player.play(sheet(page), changes, { from, to: changes.length }).catch(() => {})
  let playing = play()
  for (const { at, kind } of events) {
    await expect.poll(() => player.playedAt.has(at), { timeout: 60_000, intervals: [5] }).toBe(true)
    if (kind === 'network') await setOffline(!isOffline)
    if (kind === 'save') await page.keyboard.press('Control+s')
    if (kind !== 'kill') continue
    await crash(context, page)
    await playing
    page = await openPage()
    const last = Math.max(...player.playedAt.keys())
    const kept = states.lastIndexOf(await sheet(page).inputValue(), last + 1)
    expect(kept, 'the kept text was typed at some moment').toBeGreaterThanOrEqual(from)
    const lagMs = kept > last ? 0 : player.playedAt.get(last)! - player.playedAt.get(kept)!
    expect(lagMs).toBeLessThan(1000)
    largestLagMs = Math.max(largestLagMs, lagMs)
    for (const number of player.playedAt.keys()) if (number >= kept) player.playedAt.delete(number)
    from = kept
    await expect(page.getByRole('dialog')).toHaveCount(0)
    playing = play()
  }
  await playing
  await setOffline(false)
  await expect(sheet(page)).toHaveValue(states.at(-1)!)
  await page.keyboard.press('Control+s')
  await expect(status(page)).toHaveText(/^Saved/, { timeout: 60_000 })
  const { content } = await ana.client.does(getDiaryEntry, { params: { day } })
  expect(content).toBe(states.at(-1))
  expect(sent.filter((text) => !typed.has(text))).toEqual([])
  await expect(page.getByRole('dialog')).toHaveCount(0)
  console.log(`${changes.length} keystrokes, ${sent.length} requests, at most ${largestLagMs} ms behind`)
})
