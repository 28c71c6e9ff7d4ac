import 'fake-indexeddb/auto'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { holdDrafts } from '#web/lib/testing.ts'
import type { StoredText } from './save.ts'

const [owner, place] = ['k7q2m4xp3d', 'diary/2025-06-10']
const stored: StoredText = { text: 'Morning', version: '2025-06-10T08:00:00.000Z' }
const longestMs = 5000

beforeEach(async () => {
  const { forgetDraftsOf } = await import('./drafts.ts')
  await forgetDraftsOf(owner)
})

/** Lets the browser answer `open` only when the returned function is called. */
async function holdOpening() {
  const isReleased = Promise.withResolvers<void>()
  const { open } = IDBFactory.prototype
  const opening = vi.spyOn(indexedDB, 'open').mockImplementation((...asked) => {
    const request = open.apply(indexedDB, asked)
    const listen = request.addEventListener.bind(request) as (name: string, listener: EventListener) => void
    request.addEventListener = (name: string, listener: EventListener) =>
      listen(name, (event) => void isReleased.promise.then(() => listener(event)))
    return request
  })
  return async () => {
    isReleased.resolve()
    opening.mockRestore()
  }
}

const ways = [
  ['answers `open` late', holdOpening],
  ['waits for a transaction of another tab', holdDrafts],
] as const

/** A page that opens a text while the browser does not answer for the drafts. */
async function startLate(hold: () => Promise<() => Promise<void>>, texts: string[], unsavedCopy?: string) {
  const { keepDraft } = await import('./drafts.ts')
  for (const [number, text] of texts.entries())
    await keepDraft([owner, place, `closed-${number}`], { text, base: stored.version })
  const goOn = await hold()
  onTestFinished(goOn)
  // A page that has not opened the database yet.
  vi.resetModules()
  const [{ Manuscript }, { draftsOf }] = [await import('./manuscript.ts'), await import('./drafts.ts')]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const manuscript = new Manuscript(owner, place, unsavedCopy)
  onTestFinished(manuscript.restoreDrafts())
  manuscript.setStored(stored)
  await vi.advanceTimersByTimeAsync(longestMs - 1)
  expect(manuscript.snapshot().state).toBe('loading')
  await vi.advanceTimersByTimeAsync(1)
  return {
    manuscript,
    goOn,
    keptTexts: async () => (await draftsOf(owner, place)).map(({ text }) => text),
    typed: async (text: string) => {
      manuscript.change(text)
      await vi.advanceTimersByTimeAsync(longestMs)
      expect(manuscript.snapshot()).toMatchObject({ text, state: 'draftFailed' })
    },
  }
}

test.each(ways)(
  'a person whose browser %s writes after seconds, and the draft of a closed tab follows [R22 OWN-20]',
  async (_way, hold) => {
    const { manuscript, goOn, keptTexts } = await startLate(hold, ['Morning and noon'])
    expect(manuscript.snapshot()).toMatchObject({ text: 'Morning', state: 'unchanged' })
    await goOn()
    await expect.poll(() => manuscript.snapshot().text).toBe('Morning and noon')
    await manuscript.draftWritten()
    expect(manuscript.snapshot()).toMatchObject({ state: 'draftStored', conflict: null })
    expect(await keptTexts()).toEqual(['Morning and noon'])
  },
)

test.each(ways)(
  'a person who types while the browser %s sees both texts, and both stay until the person has chosen [R22 OWN-03]',
  async (_way, hold) => {
    const { manuscript, goOn, typed, keptTexts } = await startLate(hold, ['Morning and noon'])
    await typed('Morning and rain')
    await goOn()
    await expect
      .poll(() => manuscript.snapshot().conflict)
      .toEqual({ here: 'Morning and rain', other: 'Morning and noon', isSaved: false })
    await manuscript.draftWritten()
    expect(manuscript.snapshot()).toMatchObject({ text: 'Morning and rain', state: 'draftStored' })
    expect((await keptTexts()).toSorted()).toEqual(['Morning and noon', 'Morning and rain'])
    await manuscript.takeOther()
    expect(await keptTexts()).toEqual(['Morning and noon'])
  },
)

test.each(ways)(
  'a person who has typed while the browser %s reads that the text is safe once it answers [R22]',
  async (_way, hold) => {
    const { manuscript, goOn, typed, keptTexts } = await startLate(hold, [])
    await typed('Morning and rain')
    await goOn()
    await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
    expect(await keptTexts()).toEqual(['Morning and rain'])
  },
)

test.each(ways)(
  'a person whose browser %s has the copy of the unsaved text at once, and is not asked about the same draft [R22]',
  async (_way, hold) => {
    const { manuscript, goOn, keptTexts } = await startLate(hold, ['Morning and noon'], 'Morning and noon')
    expect(manuscript.snapshot().text).toBe('Morning and noon')
    await vi.advanceTimersByTimeAsync(longestMs)
    await goOn()
    await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
    expect(manuscript.snapshot().conflict).toBeNull()
    expect(await keptTexts()).toEqual(['Morning and noon'])
  },
)

test('a person logs out within seconds while another tab stays in a transaction, and the drafts are removed after it [OWN-05 OWN-21]', async () => {
  const { keepDraft, hasDrafts, forgetDraftsOf, draftsOf } = await import('./drafts.ts')
  await keepDraft([owner, place, 'closed'], { text: 'Morning', base: null })
  const goOn = await holdDrafts()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const ask of [hasDrafts, forgetDraftsOf]) {
    const answer = ask(owner).then(
      () => 'answered',
      () => 'not in time',
    )
    await vi.advanceTimersByTimeAsync(longestMs)
    expect(await answer).toBe('not in time')
  }
  await goOn()
  expect(await draftsOf(owner, place)).toEqual([])
})
