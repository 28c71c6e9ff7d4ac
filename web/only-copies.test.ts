import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { localNotes } from './features/diary/local-notes.ts'
import { entryFields, entryOfTab } from './features/competitions/entry-draft.ts'
import { rememberGuest } from './features/diary/guest-of-person.ts'
import { localDiary } from './features/diary/local-diary.ts'
import { choicesHere } from './features/posts/draft-choices.ts'
import { noChoices, roomChoices } from './features/rooms/room-draft.ts'
import { hasDrafts, keepDraft } from './lib/editor/drafts.ts'
import { keepAnswer, readAnswer } from './lib/device/answers.ts'
import { reopenDatabase } from './lib/device/database.ts'
import { finishLogOuts, hasUnsavedText, removeLocalCopies } from './lib/local-copies.ts'
import { guestId, removeKey, writeKey } from './lib/session-keys.ts'
import { markLoggedOut, resumeStoring } from './lib/storage.ts'
import * as onlyCopies from './only-copies.ts'

const day = '2025-06-10'
const saved = { date: day, saved: true, updated_at: '2025-06-10T08:00:00.000Z' }
const fields = { title: 'Rain', authorName: '', email: '', bio: '' }
const entry = { ...fields, content: '' }

/** Stores something of every feature for this person. */
async function write(owner: string) {
  localDiary(owner).write(day, { ...saved, content: 'Rain' })
  localStorage.setItem(`diary:${owner}:damaged:2025-06-09`, '{')
  localNotes(owner).write(day, { ...saved, note: 'Call Ben' })
  rememberGuest(owner)
  choicesHere(owner, null).write({ chosen: null })
  roomChoices(owner).write(noChoices)
  entryOfTab(owner, '2025-06').write(entry)
  entryFields(owner).write(fields)
  await keepDraft([owner, `diary/${day}`, 'a tab'], { text: 'Rain', base: null })
}
const keys = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].toSorted()
const hasUnsaved = (owner: string) => hasUnsavedText([owner], async () => onlyCopies)

afterEach(async () => {
  for (const owner of ['ana', 'ben']) await removeLocalCopies(owner)
  resumeStoring()
  localStorage.clear()
  sessionStorage.clear()
})

test('a person who leaves removes the texts of every feature from this browser, and another person keeps theirs [S48 ACC-23]', async () => {
  guestId()
  await write('ben')
  const keysOfBen = keys()
  await write('ana')
  expect(keys()).toEqual(
    [
      ...keysOfBen,
      'competition-entry:ana',
      'competition-entry:ana:2025-06',
      'diary:ana:2025-06-10',
      'diary:ana:damaged:2025-06-09',
      'diary:ana:guest',
      'diary:ana:version',
      'notes:ana:2025-06-10',
      'notes:ana:version',
      'post-draft:ana',
      'room-draft:ana',
    ].toSorted(),
  )
  await removeLocalCopies('ana')
  // The id of the person tells the other tabs.
  expect(keys()).toEqual([...keysOfBen, 'logged-out'].toSorted())
  expect([await hasDrafts('ana'), await hasDrafts('ben')]).toEqual([false, true])
})

test('a log-out that ended early is finished when the next page is open, and nothing of the person who is signed in is removed [S48 OWN-05]', async () => {
  await reopenDatabase()
  for (const owner of ['ana', 'ben', 'eva']) {
    writeKey('userId', owner)
    await write(owner)
    await keepAnswer(owner, ['/api/drafts'], { kind: 'writing', value: 'Rain', keptAt: 1 })
  }
  for (const owner of ['ana', 'ben']) markLoggedOut(owner)
  writeKey('userId', 'ben')
  await finishLogOuts()
  expect(keys().filter((key) => key.includes(':ana'))).toEqual([])
  expect(await Promise.all(['ana', 'ben', 'eva'].map(hasDrafts))).toEqual([false, true, true])
  expect(await readAnswer('ben', ['/api/drafts'])).toMatchObject({ answer: 'Rain' })
  removeKey('userId')
  await finishLogOuts()
  expect(await Promise.all(['ana', 'ben', 'eva'].map(hasDrafts))).toEqual([false, false, true])
  expect(await readAnswer('ben', ['/api/drafts'])).toBeUndefined()
  await removeLocalCopies('eva')
  await reopenDatabase()
})

test('a feature that was added later needs no entry in a list: its keys are removed with the person [S48]', async () => {
  for (const area of [localStorage, sessionStorage])
    for (const key of ['letter:ana', 'letter:ana:ben', 'letter:ben:ana', 'letter:ben', 'ana'])
      area.setItem(key, 'Dear Ben')
  await removeLocalCopies('ana')
  expect(keys()).toEqual(['ana', 'ana', 'letter:ben', 'letter:ben', 'logged-out'])
})

test.each<[string, (guest: string) => void]>([
  ['a day of the diary', (guest) => localDiary(guest).write(day, { ...saved, content: 'Rain' })],
  ['a note', (guest) => localNotes(guest).write(day, { ...saved, note: 'Call Ben' })],
  ['an entry for a competition', (guest) => entryOfTab(guest, '2025-06').write(entry)],
])('%s that a guest wrote counts as unsaved: no server has it [ACC-23]', async (_text, writeText) => {
  writeText('ana')
  expect(await hasUnsaved(guestId())).toBe(false)
  writeText(guestId())
  expect(await hasUnsaved(guestId())).toBe(true)
})

test('copies of the days and notes in an account do not count as unsaved [ACC-23]', async () => {
  localDiary('ana').write(day, { ...saved, content: 'Rain' })
  localNotes('ana').write(day, { ...saved, note: 'Call Ben' })
  expect(await hasUnsaved('ana')).toBe(false)
})
