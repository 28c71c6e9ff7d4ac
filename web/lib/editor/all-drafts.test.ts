import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { fillDrafts } from '#web/lib/testing.ts'
import { unwritten, whenDraftsWritten } from './all-drafts.ts'
import { allDraftsOf, forgetDraftsOf } from './drafts.ts'
import { Manuscript } from './manuscript.ts'

const owner = 'k7q2m4xp3d'

beforeEach(async () => {
  unwritten.clear()
  await forgetDraftsOf(owner)
})

async function opened(place: string) {
  const manuscript = new Manuscript(owner, place)
  manuscript.restoreDrafts()
  manuscript.setStored({ text: '', version: null })
  await expect.poll(() => manuscript.snapshot().state).not.toBe('loading')
  return manuscript
}

const draftTexts = async () => (await allDraftsOf(owner)).map(([, { text }]) => text).toSorted()

test('a page that is loaded again has the last letter of every text in its drafts before [OWN-04]', async () => {
  const texts = [await opened('diary/2025-06-10'), await opened('note/2025-06-10')]
  expect(await whenDraftsWritten()).toBe(true)
  for (const [n, text] of texts.entries())
    for (let length = 1; length <= 100; length++) text.change(`${n}`.repeat(length))
  expect(await whenDraftsWritten()).toBe(true)
  expect(await draftTexts()).toEqual(['0'.repeat(100), '1'.repeat(100)])
})

test('a page with a text that this browser cannot store is not loaded again until the text is saved [OWN-04]', async () => {
  const text = await opened('diary/2025-06-10')
  const makeSpace = fillDrafts()
  text.change('Rain')
  expect(await whenDraftsWritten()).toBe(false)
  expect(await text.save(async (saved) => ({ text: saved, version: '2025-06-10T08:00:00.000Z' }))).toBe(true)
  expect(await whenDraftsWritten()).toBe(true)
  text.change('Rain and snow')
  expect(await whenDraftsWritten()).toBe(false)
  makeSpace()
  text.change('Rain, snow')
  expect(await whenDraftsWritten()).toBe(true)
  expect(await draftTexts()).toEqual(['Rain, snow'])
})

test('a text whose draft could not be written does not count when the drafts of another text are asked for [R22]', async () => {
  const text = await opened('diary/2025-06-10')
  const makeSpace = fillDrafts()
  text.change('Rain')
  expect(await whenDraftsWritten('diary/2025-06-10')).toBe(false)
  expect(await whenDraftsWritten('note/2025-06-10')).toBe(true)
  makeSpace()
})
