// @vitest-environment node
import 'fake-indexeddb/auto'
import { expect, onTestFinished, test } from 'vitest'
import { draftsOf, keepDraft } from './drafts.ts'
import { Manuscript } from './manuscript.ts'

const owner = 'k7q2m4xp3d'
const place = 'diary/2025-06-10'
const stored = { text: 'Morning', version: '2025-06-10T08:00:00.000Z' }

/** Another open tab with a draft. Returns a function that closes the tab. */
async function openTab(id: string) {
  await keepDraft([owner, place, id], { text: stored.text, base: null })
  const closed = Promise.withResolvers<void>()
  await new Promise<void>((isOpen) => {
    void navigator.locks.request(`tab:${id}`, () => {
      isOpen()
      return closed.promise
    })
  })
  return () => closed.resolve()
}

test('a writer reads that the text is open elsewhere until the last of two other tabs with a draft is closed [R22]', async () => {
  const [closeOne, closeTwo] = [await openTab('one'), await openTab('two')]
  const manuscript = new Manuscript(owner, place)
  onTestFinished(manuscript.restoreDrafts())
  manuscript.setStored(stored)
  const isOpenElsewhere = () => manuscript.snapshot().hasDraftInOtherTab
  await expect.poll(isOpenElsewhere).toBe(true)
  closeOne()
  await expect.poll(async () => (await draftsOf(owner, place)).map(({ tab }) => tab)).toEqual(['two'])
  expect(isOpenElsewhere()).toBe(true)
  closeTwo()
  await expect.poll(isOpenElsewhere).toBe(false)
})
