import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { markLoggedOut, unmarkLoggedOut } from '#web/lib/storage.ts'
import { fillDrafts } from '#web/lib/testing.ts'
import { unwritten, whenDraftsWritten } from './all-drafts.ts'
import { draftsOf, forgetDraftsOf, hasDrafts, keepDraft } from './drafts.ts'
import { Manuscript } from './manuscript.ts'
import { ConflictError, type Save, type StoredText } from './save.ts'

const owner = 'k7q2m4xp3d'
const place = 'diary/2025-06-10'
const first = '2025-06-10T08:00:00.000Z'
const second = '2025-06-10T09:00:00.000Z'
const unsaved: StoredText = { text: '', version: null }

/** A store of one text. Like the server, it refuses a save whose base is not current. */
function store(stored: StoredText = unsaved) {
  let version = 0
  const save: Save = async (text, base) => {
    if (base !== stored.version) throw new ConflictError(stored)
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

async function opened(stored: StoredText = unsaved, unsavedCopy?: string) {
  const manuscript = new Manuscript(owner, place, unsavedCopy)
  manuscript.restoreDrafts()
  manuscript.setStored(stored)
  await expect.poll(() => manuscript.snapshot().state).not.toBe('loading')
  return manuscript
}

const draftTexts = async () => (await draftsOf(owner, place)).map(({ text }) => text)

afterEach(() => void vi.restoreAllMocks())
beforeEach(async () => {
  for (const person of [owner, 'someone-else']) await forgetDraftsOf(person)
})

test('a person who has logged out in another tab does not read that the typed text is safe [S48 R22]', async () => {
  const manuscript = await opened()
  markLoggedOut(owner)
  onTestFinished(() => unmarkLoggedOut(owner))
  manuscript.change('A quiet day')
  await expect.poll(() => manuscript.snapshot().state).toBe('draftFailed')
  expect(await draftTexts()).toEqual([])
})

test('the drafts of a text are read while its page is rendered, so that a person can write as soon as the page is shown [R22]', async () => {
  const manuscript = new Manuscript(owner, place)
  manuscript.setStored(unsaved)
  // The browser answers in the order of the reads.
  await whenDraftsWritten()
  await draftsOf(owner, place)
  manuscript.restoreDrafts()
  // Promises alone go on here: another read of the database would take a task.
  for (let n = 0; n < 20; n++) await Promise.resolve()
  expect(manuscript.snapshot().state).toBe('unchanged')
})

test('a person who opens a text again while its last letters are being written finds them all [R22]', async () => {
  const left = await opened()
  left.change('A quiet')
  left.change('A quiet day')
  const again = await opened()
  await expect.poll(() => again.snapshot().text).toBe('A quiet day')
})

test('a person can write in a text while the draft of another text is being written [R22]', async () => {
  const hanging = { place: 'diary/2025-06-09', draftWritten: () => new Promise<void>(() => {}) }
  unwritten.add(hanging)
  onTestFinished(() => void unwritten.delete(hanging))
  // The clock stands, so the time after which an editor does without drafts does not pass.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect((await opened()).snapshot().state).toBe('unchanged')
})

test('a text that a person types is a draft in this browser, and the save removes the draft [R22]', async () => {
  const remote = store()
  const manuscript = await opened()
  manuscript.change('A quiet day')
  await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
  expect(await draftTexts()).toEqual(['A quiet day'])
  expect(await manuscript.save(remote.save)).toBe(true)
  expect(manuscript.snapshot()).toMatchObject({ state: 'saved', text: 'A quiet day' })
  expect(remote.stored.text).toBe('A quiet day')
  expect(await draftTexts()).toEqual([])
})

test('a person who types faster than drafts are written has the last text in the draft [R22]', async () => {
  const manuscript = await opened()
  for (let length = 1; length <= 300; length++) manuscript.change('a'.repeat(length))
  await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
  expect(await draftTexts()).toEqual(['a'.repeat(300)])
})

test('a person who closed a page with an unsaved text finds it again, with its base [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Morning and noon', base: first })
  const manuscript = await opened({ text: 'Morning', version: first })
  await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
  expect(manuscript.snapshot().text).toBe('Morning and noon')
  expect(await draftsOf(owner, place)).toMatchObject([{ text: 'Morning and noon', base: first }])
})

test('a draft whose text is stored already is removed [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Morning', base: null })
  const manuscript = await opened({ text: 'Morning', version: first })
  await expect.poll(draftTexts).toEqual([])
  expect(manuscript.snapshot().state).toBe('unchanged')
})

test('a person does not see the draft of another person in the same browser, and that draft stays [S48]', async () => {
  await keepDraft(['someone-else', place, 'closed'], { text: 'Private', base: null })
  const manuscript = await opened()
  expect(manuscript.snapshot()).toMatchObject({ text: '', state: 'unchanged' })
  expect(await hasDrafts(owner)).toBe(false)
  expect(await hasDrafts('someone-else')).toBe(true)
})

test('the drafts of one person are removed, and those of another person stay [S48]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Mine', base: null })
  await keepDraft(['someone-else', place, 'closed'], { text: 'Private', base: null })
  await forgetDraftsOf(owner)
  expect(await hasDrafts(owner)).toBe(false)
  expect(await hasDrafts('someone-else')).toBe(true)
})

test('a writer whose text was saved elsewhere meanwhile gets both versions, and none is replaced [R22]', async () => {
  const remote = store({ text: 'Morning', version: first })
  const manuscript = await opened(remote.stored)
  manuscript.change('Morning here')
  remote.replace('Morning there')
  expect(await manuscript.save(remote.save)).toBe(false)
  expect(manuscript.snapshot().conflict).toEqual({
    here: 'Morning here',
    other: 'Morning there',
    isSaved: true,
  })
  expect(remote.stored.text).toBe('Morning there')
  expect(await draftTexts()).toEqual(['Morning here'])
})

test.each([
  ['keepThis', 'Here'],
  ['takeOther', 'There'],
  ['keepBoth', 'There\n\nHere'],
] as const)('a writer who ends a conflict by %s can save the text [R22]', async (answer, text) => {
  const remote = store()
  const manuscript = await opened()
  manuscript.change('Here')
  remote.replace('There')
  await manuscript.save(remote.save)
  await manuscript[answer]()
  expect(manuscript.snapshot()).toMatchObject({ text, conflict: null })
  expect(await manuscript.save(remote.save)).toBe(true)
  expect(remote.stored.text).toBe(text)
})

test('a writer who postpones a conflict gets it again at the next save [R22]', async () => {
  const remote = store()
  const manuscript = await opened()
  manuscript.change('Here')
  remote.replace('There')
  await manuscript.save(remote.save)
  manuscript.postponeConflict()
  expect(manuscript.snapshot()).toMatchObject({ text: 'Here', conflict: null })
  expect(await manuscript.save(remote.save)).toBe(false)
  expect(manuscript.snapshot().conflict).not.toBeNull()
  expect(remote.stored.text).toBe('There')
})

test('a writer who left different texts in two closed pages chooses between them, and both drafts stay until then [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'One', base: null })
  await keepDraft([owner, place, 'closed too'], { text: 'Two', base: null })
  const manuscript = await opened()
  await expect.poll(() => manuscript.snapshot().conflict).not.toBeNull()
  expect((await draftTexts()).toSorted()).toEqual(['One', 'Two'])
  await manuscript.keepBoth()
  expect(await draftTexts()).toEqual([manuscript.snapshot().text])
  expect(manuscript.snapshot().text).toContain('One')
  expect(manuscript.snapshot().text).toContain('Two')
})

test('a writer whose browser is full keeps the draft of a closed page until the text is saved [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Not lost', base: null })
  fillDrafts()
  const remote = store()
  const manuscript = await opened()
  await expect.poll(() => manuscript.snapshot().state).toBe('draftFailed')
  expect(manuscript.snapshot().text).toBe('Not lost')
  expect(await draftTexts()).toEqual(['Not lost'])
  expect(await manuscript.save(remote.save)).toBe(true)
  expect(await draftTexts()).toEqual([])
})

test('a writer whose browser has space again has one draft with the text of the closed page and the new text [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Not lost', base: null })
  const makeSpace = fillDrafts()
  const manuscript = await opened()
  await expect.poll(() => manuscript.snapshot().state).toBe('draftFailed')
  makeSpace()
  manuscript.change('Not lost, and more')
  await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
  expect(await draftTexts()).toEqual(['Not lost, and more'])
})

test.each(['keepThis', 'takeOther', 'keepBoth'] as const)(
  'a writer whose browser is full and who ends a conflict by %s keeps both drafts until the text is saved [R22]',
  async (answer) => {
    await keepDraft([owner, place, 'closed'], { text: 'One', base: null })
    await keepDraft([owner, place, 'closed too'], { text: 'Two', base: null })
    fillDrafts()
    const remote = store()
    const manuscript = await opened()
    await expect.poll(() => manuscript.snapshot().conflict).not.toBeNull()
    await expect.poll(() => manuscript.snapshot().state).toBe('draftFailed')
    await manuscript[answer]()
    expect(manuscript.snapshot().state).toBe('draftFailed')
    expect((await draftTexts()).toSorted()).toEqual(['One', 'Two'])
    expect(await manuscript.save(remote.save)).toBe(true)
    expect(await draftTexts()).toEqual([])
  },
)

test('a writer whose browser is full does not read in a conflict that the text is kept in this browser [R22]', async () => {
  fillDrafts()
  const remote = store()
  const manuscript = await opened()
  manuscript.change('Here')
  remote.replace('There')
  await manuscript.save(remote.save)
  expect(manuscript.snapshot()).toMatchObject({ state: 'draftFailed', conflict: { here: 'Here' } })
})

test('a writer who saves an unchanged text that was replaced elsewhere keeps that text as a draft [R22]', async () => {
  const remote = store({ text: 'Morning', version: first })
  const manuscript = await opened(remote.stored)
  remote.replace('Morning there')
  await manuscript.save(remote.save)
  expect(manuscript.snapshot()).toMatchObject({ state: 'draftStored', conflict: { here: 'Morning' } })
  expect(await draftTexts()).toEqual(['Morning'])
})

test('a writer whose draft of a closed page is restored during a save is asked, and it does not replace the saved text [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Noon', base: null })
  const remote = store({ text: 'Morning', version: first })
  const manuscript = new Manuscript(owner, place)
  const opening = Promise.withResolvers<void>()
  manuscript.subscribe(() => manuscript.snapshot().state === 'unchanged' && opening.resolve())
  manuscript.restoreDrafts()
  manuscript.setStored(remote.stored)
  await opening.promise
  const answering = Promise.withResolvers<void>()
  const saving = manuscript.save(async (text, base) => {
    await answering.promise
    return remote.save(text, base)
  })
  await expect.poll(() => manuscript.snapshot().conflict).toMatchObject({ other: 'Noon' })
  answering.resolve()
  await saving
  await manuscript.takeOther()
  expect(await manuscript.save(remote.save)).toBe(false)
  expect(manuscript.snapshot().conflict).toMatchObject({ here: 'Noon', other: 'Morning' })
  expect(remote.stored.text).toBe('Morning')
})

test('a writer without drafts finds the unsaved copy of the text, and is asked before it replaces a stored text [R22]', async () => {
  const remote = store({ text: 'There', version: first })
  const manuscript = await opened(remote.stored, 'Here')
  await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
  expect(manuscript.snapshot().text).toBe('Here')
  expect(await manuscript.save(remote.save)).toBe(false)
  expect(manuscript.snapshot().conflict).toMatchObject({ here: 'Here', other: 'There' })
})

test('a writer with a draft does not get the older copy of the text [R22]', async () => {
  await keepDraft([owner, place, 'closed'], { text: 'Here and more', base: null })
  const manuscript = await opened(unsaved, 'Here')
  await expect.poll(() => manuscript.snapshot().state).toBe('draftStored')
  expect(manuscript.snapshot()).toMatchObject({ text: 'Here and more', conflict: null })
})

test('a writer who saves again after a lost answer gets no conflict, because the same text is stored [R7 R22]', async () => {
  const remote = store()
  const manuscript = await opened()
  manuscript.change('Once')
  remote.replace('Once')
  expect(await manuscript.save(remote.save)).toBe(true)
  expect(manuscript.snapshot().conflict).toBeNull()
})

test('a text that is typed during a save is a draft, and the next save stores it [R22]', async () => {
  const remote = store()
  const manuscript = await opened()
  manuscript.change('First')
  const slow: Save = async (text, base) => {
    manuscript.change('First and more')
    return remote.save(text, base)
  }
  expect(await manuscript.save(slow)).toBe(false)
  expect(remote.stored.text).toBe('First')
  expect(manuscript.snapshot()).toMatchObject({ text: 'First and more', state: 'draftStored' })
  expect(await manuscript.save(remote.save)).toBe(true)
  expect(remote.stored.text).toBe('First and more')
})

test('a save succeeds also when the page reads the stored text again before the save has ended [R22]', async () => {
  const remote = store()
  const manuscript = await opened()
  manuscript.change('Mine')
  manuscript.subscribe(() => {
    if (manuscript.snapshot().state === 'saved') queueMicrotask(() => manuscript.setStored(remote.stored))
  })
  expect(await manuscript.save(remote.save)).toBe(true)
  expect(manuscript.snapshot()).toMatchObject({ text: 'Mine', state: 'unchanged' })
})

test('a writer whose save fails reads so, and the text is in the editor and in the draft [R22]', async () => {
  const manuscript = await opened()
  manuscript.change('Not lost')
  const failing: Save = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await manuscript.save(failing)).toBe(false)
  expect(manuscript.snapshot()).toMatchObject({ text: 'Not lost', state: 'failed' })
  expect(await draftTexts()).toEqual(['Not lost'])
})

test('a newer stored text replaces an unchanged text, and never a text that the writer has changed', async () => {
  const manuscript = await opened({ text: 'Old', version: first })
  manuscript.setStored({ text: 'New', version: second })
  expect(manuscript.snapshot().text).toBe('New')
  manuscript.setStored({ text: 'Old', version: first })
  expect(manuscript.snapshot().text).toBe('New')
  manuscript.change('Mine')
  manuscript.setStored({ text: 'Newer', version: '2025-06-10T10:00:00.000Z' })
  expect(manuscript.snapshot().text).toBe('Mine')
})
