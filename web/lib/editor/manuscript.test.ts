import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { draftsOf, forgetDraftsOf, hasDrafts, keepDraft } from './drafts.ts'
import { Conflict, Manuscript, type Save, type Stored } from './manuscript.ts'

const owner = 'k7q2m4xp3d'
const place = 'diary/2025-06-10'
const first = '2025-06-10T08:00:00.000Z'
const second = '2025-06-10T09:00:00.000Z'
const unsaved: Stored = { text: '', version: null }

/** Where texts are saved: refuses a base that is not current, as the server does. */
function shelf(stored: Stored = unsaved) {
  let version = 0
  const save: Save = async (text, base) => {
    if (base !== stored.version) throw new Conflict(stored)
    stored = { text, version: new Date(Date.UTC(2025, 5, 11, 0, 0, ++version)).toISOString() }
    return stored
  }
  return {
    save,
    get stored() {
      return stored
    },
    /** Another device saves. */
    replace: (text: string) => {
      stored = { text, version: new Date(Date.UTC(2025, 5, 12, 0, 0, ++version)).toISOString() }
    },
  }
}

async function opened(stored: Stored = unsaved, at = place) {
  const manuscript = new Manuscript(owner, at)
  manuscript.open()
  manuscript.setStored(stored)
  await expect.poll(() => manuscript.snapshot().state).not.toBe('opening')
  return manuscript
}

const keptTexts = async () => (await draftsOf(owner, place)).map(({ text }) => text)

beforeEach(async () => {
  for (const person of [owner, 'someone-else']) await forgetDraftsOf(person)
})

test('what is typed is safe on the device, and forgotten there once it is saved [R22]', async () => {
  const kept = shelf()
  const manuscript = await opened()
  manuscript.change('A quiet day')
  await expect.poll(() => manuscript.snapshot().state).toBe('safe')
  expect(await keptTexts()).toEqual(['A quiet day'])
  expect(await manuscript.save(kept.save)).toBe(true)
  expect(manuscript.snapshot()).toMatchObject({ state: 'saved', text: 'A quiet day' })
  expect(kept.stored.text).toBe('A quiet day')
  expect(await keptTexts()).toEqual([])
})

test('of many changes at once the last one is kept [R22]', async () => {
  const manuscript = await opened()
  for (let length = 1; length <= 300; length++) manuscript.change('a'.repeat(length))
  await expect.poll(() => manuscript.snapshot().state).toBe('safe')
  expect(await keptTexts()).toEqual(['a'.repeat(300)])
})

test('a text that a closed page left unsaved stands there again, with its base [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Morning and noon', base: first })
  const manuscript = await opened({ text: 'Morning', version: first })
  await expect.poll(() => manuscript.snapshot().state).toBe('safe')
  expect(manuscript.snapshot().text).toBe('Morning and noon')
  expect(await draftsOf(owner, place)).toMatchObject([{ text: 'Morning and noon', base: first }])
})

test('a kept text that is stored already is no longer kept [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Morning', base: null })
  const manuscript = await opened({ text: 'Morning', version: first })
  await expect.poll(keptTexts).toEqual([])
  expect(manuscript.snapshot().state).toBe('unchanged')
})

test('nobody is shown what somebody else typed here [S48]', async () => {
  await keepDraft(['someone-else', place, 'closed'], { text: 'Private', base: null })
  const manuscript = await opened()
  expect(manuscript.snapshot()).toMatchObject({ text: '', state: 'unchanged' })
  expect(await hasDrafts(owner)).toBe(false)
  expect(await hasDrafts('someone-else')).toBe(true)
})

test('leaving removes what a person typed, and only that [S48]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Mine', base: null })
  await keepDraft(['someone-else', place, 'closed'], { text: 'Private', base: null })
  await forgetDraftsOf(owner)
  expect(await hasDrafts(owner)).toBe(false)
  expect(await hasDrafts('someone-else')).toBe(true)
})

test('a day that was saved elsewhere is asked about, and neither text is replaced [R22]', async () => {
  const kept = shelf({ text: 'Morning', version: first })
  const manuscript = await opened(kept.stored)
  manuscript.change('Morning here')
  kept.replace('Morning there')
  expect(await manuscript.save(kept.save)).toBe(false)
  expect(manuscript.snapshot().question).toEqual({
    mine: 'Morning here',
    theirs: 'Morning there',
    isSaved: true,
  })
  expect(kept.stored.text).toBe('Morning there')
  expect(await keptTexts()).toEqual(['Morning here'])
})

test.each([
  ['keepMine', 'Here'],
  ['takeTheirs', 'There'],
  ['keepBoth', 'There\n\nHere'],
] as const)('after %s the text can be saved [R22]', async (answer, text) => {
  const kept = shelf()
  const manuscript = await opened()
  manuscript.change('Here')
  kept.replace('There')
  await manuscript.save(kept.save)
  await manuscript[answer]()
  expect(manuscript.snapshot()).toMatchObject({ text, question: null })
  expect(await manuscript.save(kept.save)).toBe(true)
  expect(kept.stored.text).toBe(text)
})

test('a question put off is asked again by the next save [R22]', async () => {
  const kept = shelf()
  const manuscript = await opened()
  manuscript.change('Here')
  kept.replace('There')
  await manuscript.save(kept.save)
  manuscript.putOff()
  expect(manuscript.snapshot()).toMatchObject({ text: 'Here', question: null })
  expect(await manuscript.save(kept.save)).toBe(false)
  expect(manuscript.snapshot().question).not.toBeNull()
  expect(kept.stored.text).toBe('There')
})

test('two closed pages with different texts end in a question, and both texts are kept till then [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'One', base: null })
  await keepDraft([owner, place, 'closed too'], { text: 'Two', base: null })
  const manuscript = await opened()
  await expect.poll(() => manuscript.snapshot().question).not.toBeNull()
  expect((await keptTexts()).toSorted()).toEqual(['One', 'Two'])
  await manuscript.keepBoth()
  expect(await keptTexts()).toEqual([manuscript.snapshot().text])
  expect(manuscript.snapshot().text).toContain('One')
  expect(manuscript.snapshot().text).toContain('Two')
})

test('a lost answer to a save is no conflict: the same text is stored [R7 R22]', async () => {
  const kept = shelf()
  const manuscript = await opened()
  manuscript.change('Once')
  kept.replace('Once')
  expect(await manuscript.save(kept.save)).toBe(true)
  expect(manuscript.snapshot().question).toBeNull()
})

test('what is typed while a save is under way is kept, and saved with the next one [R22]', async () => {
  const kept = shelf()
  const manuscript = await opened()
  manuscript.change('First')
  const slow: Save = async (text, base) => {
    manuscript.change('First and more')
    return kept.save(text, base)
  }
  expect(await manuscript.save(slow)).toBe(false)
  expect(kept.stored.text).toBe('First')
  expect(manuscript.snapshot()).toMatchObject({ text: 'First and more', state: 'safe' })
  expect(await manuscript.save(kept.save)).toBe(true)
  expect(kept.stored.text).toBe('First and more')
})

test('a save is a save, also when the page hears of its own text before it hears of the save [R22]', async () => {
  const kept = shelf()
  const manuscript = await opened()
  manuscript.change('Mine')
  manuscript.subscribe(() => {
    if (manuscript.snapshot().state === 'saved') queueMicrotask(() => manuscript.setStored(kept.stored))
  })
  expect(await manuscript.save(kept.save)).toBe(true)
  expect(manuscript.snapshot()).toMatchObject({ text: 'Mine', state: 'unchanged' })
})

test('a failed save says so and keeps the text [R22]', async () => {
  const manuscript = await opened()
  manuscript.change('Not lost')
  const failing: Save = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await manuscript.save(failing)).toBe(false)
  expect(manuscript.snapshot()).toMatchObject({ text: 'Not lost', state: 'failed' })
  expect(await keptTexts()).toEqual(['Not lost'])
})

test('a newer stored text is shown while nothing was typed, and never over a text in work', async () => {
  const manuscript = await opened({ text: 'Old', version: first })
  manuscript.setStored({ text: 'New', version: second })
  expect(manuscript.snapshot().text).toBe('New')
  manuscript.setStored({ text: 'Old', version: first })
  expect(manuscript.snapshot().text).toBe('New')
  manuscript.change('Mine')
  manuscript.setStored({ text: 'Newer', version: '2025-06-10T10:00:00.000Z' })
  expect(manuscript.snapshot().text).toBe('Mine')
})
