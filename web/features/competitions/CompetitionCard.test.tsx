import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { allDraftsOf, hasDrafts } from '#web/lib/editor/drafts.ts'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { entryOfTab, hasEntryDraft } from './entry-draft.ts'
import { CompetitionCard } from './index.ts'

const server = startTestPage()

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-06-10T12:00:00Z') }))

async function openEntry() {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  show(<CompetitionCard />)
  await reopen()
  return { opened }
}
async function reopen() {
  fireEvent.click(screen.getByRole('button', { name: 'Enter the competition' }))
  await screen.findByRole('dialog', { name: 'Writing Competition June 2025' })
}
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } })
const goOn = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue to the portal' })
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ')
const fillIn = () => {
  type('Title', 'The night train')
  type('Content', 'Once upon a time')
  type('Author name', 'Ana Lima')
  type('Email', 'ana@example.org')
}

test('the card shows every fact of the competition of this month [COMP-01 COMP-02 COMP-03 COMP-04 COMP-05 COMP-06 COMP-07 COMP-08 COMP-09 COMP-14]', () => {
  show(<CompetitionCard />)
  const card = within(screen.getByRole('region', { name: 'Writing Competition June 2025' }))
  for (const text of [
    'First prize: $100 plus featured publication. Honourable mentions: $25 plus recognition.',
    'June 30, 2025',
    'Fiction or Poetry',
    '$5',
    '3000 words',
  ]) {
    expect(card.getByText(text)).toBeTruthy()
  }
  expect(server.requests).toEqual([])
})

test.each([
  ['2025-06-22T12:00:00Z', 'Open', 'text-good'],
  ['2025-06-23T12:00:00Z', 'Closing soon', 'text-warn'],
  ['2025-06-30T12:00:00Z', 'Closing soon', 'text-warn'],
])('on %s it is %s, in its colour [COMP-10 COMP-11 COMP-12 COMP-13 COMP-14]', (now, status, color) => {
  vi.setSystemTime(new Date(now))
  show(<CompetitionCard />)
  expect(screen.getByText(status).className).toContain(color)
})

test('the card opens a form with title, content, author name, email and an optional bio [COMP-15 COMP-16 COMP-18 COMP-19]', async () => {
  await openEntry()
  for (const name of ['Title', 'Content', 'Author name', 'Email']) expect(field(name).required).toBe(true)
  expect(field('Email').type).toBe('email')
  expect(field('Bio (optional)').required).toBe(false)
})

test.each([
  ['Title', 'Please enter a title.'],
  ['Content', 'Please enter your text.'],
  ['Author name', 'Please enter your name.'],
  ['Email', 'Please enter your email.'],
])(
  'an entry without %s goes nowhere: a toast and the field ask for it [COMP-17 COMP-20]',
  async (name, message) => {
    const { opened } = await openEntry()
    fillIn()
    type(name, '  ')
    fireEvent.click(goOn())
    const toast = (await screen.findByText('Missing Information')).closest('li')!
    expect(within(toast).getByText('Please fill in all required fields.')).toBeTruthy()
    expect(toast.className).toContain('border-bad')
    expect(document.activeElement).toBe(field(name))
    expect(field(name).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(message)
    expect(opened).not.toHaveBeenCalled()
    expect(server.requests).toEqual([])
  },
)

test('a text that is no email address is refused at its field [COMP-19]', async () => {
  const { opened } = await openEntry()
  fillIn()
  type('Email', 'ana at home')
  fireEvent.click(goOn())
  expect(field('Email').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Please enter an email address.')).toBeTruthy()
  expect(opened).not.toHaveBeenCalled()
  type('Email', 'ana@example.org')
  expect(screen.queryByText('Please enter an email address.')).toBeNull()
})

test('words are counted between white space; with more than 3000 of them the person cannot continue [COMP-21 COMP-22 COMP-23]', async () => {
  const { opened } = await openEntry()
  fillIn()
  type('Content', ' one\n\ttwo   three ')
  expect(screen.getByText('3 of 3000 words')).toBeTruthy()
  type('Content', words(3000))
  expect(screen.queryByText('Exceeds word limit')).toBeNull()
  expect(goOn().disabled).toBe(false)
  type('Content', words(3001))
  expect(screen.getByText('Exceeds word limit')).toBeTruthy()
  expect(goOn().disabled).toBe(true)
  fireEvent.click(goOn())
  expect(opened).not.toHaveBeenCalled()
})

test('an entrant goes on to the portal in a new tab, and nothing is sent to our server [COMP-18 COMP-24 COMP-25]', async () => {
  const { opened } = await openEntry()
  fillIn()
  fireEvent.click(goOn())
  expect(opened.mock.calls).toEqual([['https://submissions.example.org/', '_blank', 'noopener,noreferrer']])
  expect(server.requests).toEqual([])
})

test('an entrant without an account finds the typed text again after closing the form, and after a reload [COMP-16]', async () => {
  await openEntry()
  fillIn()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await reopen()
  expect(field('Content').value).toBe('Once upon a time')
  cleanup()
  show(<CompetitionCard />)
  await reopen()
  expect(field('Title').value).toBe('The night train')
})

/** Opens the form as a signed-in person whose page is loaded anew. */
async function openAsAna() {
  cleanup()
  show(<CompetitionCard />, { user: ana })
  await reopen()
  await waitFor(() => expect(field('Content').readOnly).toBe(false))
}
const draftsOfAna = async () => (await allDraftsOf(ana.id)).map(([, { text }]) => text)

test('the entry of a signed-in person is a draft: it is there after the tab was closed and in the next month, and emptied fields leave nothing [COMP-16]', async () => {
  await openAsAna()
  fillIn()
  await screen.findByText('Safe on this device')
  expect(await draftsOfAna()).toEqual(['Once upon a time'])
  sessionStorage.clear()
  vi.setSystemTime(new Date('2025-07-10T12:00:00Z'))
  cleanup()
  show(<CompetitionCard />, { user: ana })
  fireEvent.click(screen.getByRole('button', { name: 'Enter the competition' }))
  await screen.findByRole('dialog', { name: 'Writing Competition July 2025' })
  await waitFor(() => expect(field('Content').value).toBe('Once upon a time'))
  expect(['Title', 'Author name', 'Email'].map((name) => field(name).value)).toEqual([
    'The night train',
    'Ana Lima',
    'ana@example.org',
  ])
  expect(server.changes).toEqual([])
  for (const name of ['Title', 'Author name', 'Email']) type(name, '')
  expect(hasEntryDraft(ana.id)).toBe(false)
  expect(await hasDrafts(ana.id)).toBe(true)
  type('Content', '')
  await waitFor(async () => expect(await hasDrafts(ana.id)).toBe(false))
})

test.each(['Once upon a time', ''])(
  'an entry with the text %j that an older program kept in the tab of a signed-in person becomes a draft [COMP-16 OWN-22]',
  async (content) => {
    const older = entryOfTab(ana.id, '2025-06')
    older.write({ title: 'The night train', content, authorName: 'Ana', email: '', bio: '' })
    await openAsAna()
    expect([field('Title').value, field('Content').value]).toEqual(['The night train', content])
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
    expect(await draftsOfAna()).toEqual(content === '' ? [] : [content])
    await openAsAna()
    await waitFor(() => expect(field('Content').value).toBe(content))
    expect([field('Title').value, field('Author name').value]).toEqual(['The night train', 'Ana'])
  },
)

test('an entry of an older program stays in the tab while the person has another draft [COMP-16 OWN-22]', async () => {
  await openAsAna()
  type('Content', 'Another beginning')
  await screen.findByText('Safe on this device')
  const older = { title: '', content: 'Once upon a time', authorName: '', email: '', bio: '' }
  entryOfTab(ana.id, '2025-06').write(older)
  await openAsAna()
  expect(field('Content').value).toBe('Another beginning')
  expect(entryOfTab(ana.id, '2025-06').read()).toEqual(older)
})

test('an entry of an older program stays in the tab while the person has other fields beside the same text [COMP-16 OWN-22]', async () => {
  await openAsAna()
  type('Title', 'The day train')
  const older = { title: 'The night train', content: '', authorName: 'Ana', email: '', bio: '' }
  entryOfTab(ana.id, '2025-06').write(older)
  await openAsAna()
  expect(field('Title').value).toBe('The day train')
  expect(entryOfTab(ana.id, '2025-06').read()).toEqual(older)
})

test.each(['{', '{"title":1}', 'null'])('a damaged draft (%s) is ignored [COMP-16]', async (damaged) => {
  sessionStorage.setItem(`competition-entry:${guestId()}:2025-06`, damaged)
  await openEntry()
  expect(field('Title').value).toBe('')
})

test('a typed entry counts as unsaved text of the person, and is removed with the copies of that person [COMP-16 ACC-23 S48]', async () => {
  await openEntry()
  type('Title', 'The night train')
  expect(hasEntryDraft('somebody')).toBe(false)
  expect(hasEntryDraft(guestId())).toBe(true)
  type('Title', '')
  expect(hasEntryDraft(guestId())).toBe(false)
  fillIn()
  await removeLocalCopies('somebody')
  expect(hasEntryDraft(guestId())).toBe(true)
  await removeLocalCopies(guestId())
  expect(hasEntryDraft(guestId())).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await reopen()
  expect(field('Title').value).toBe('')
})
