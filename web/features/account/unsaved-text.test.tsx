import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { diaryErrors } from '#contract/diary/errors.ts'
import { hasDrafts, keepDraft } from '#web/lib/editor/drafts.ts'
import { RequestError } from '#web/lib/request.ts'
import { passWithStorage as pass } from '#web/lib/testing.ts'
import { ana, guest } from '#web/testing/people.ts'
import { begin, startLeaving, type } from './testing.tsx'

const { server, renderLeaving, expectNothingForgotten, expectAllForgotten } = startLeaving()

test.each([
  ['signOut', '/?onboarding=true'],
  ['logOut', '/api/logout'],
] as const)(
  'a person with text that is not saved yet is asked before %s deletes it [ACC-23]',
  async (way, url) => {
    await type(ana.id)
    await type('somebody')
    const leaving = renderLeaving()
    await begin(leaving.current[way])
    expect(screen.getByRole('alertdialog').textContent).toBe(
      'Some of your text is not saved yet. Logging out removes it from this device.CancelLog out without savingSave and log out',
    )
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await pass(1000)
    expectNothingForgotten()
    expect(server.requests).toEqual([])

    await begin(leaving.current[way])
    fireEvent.click(screen.getByRole('button', { name: 'Log out without saving' }))
    await pass(1000)
    expectAllForgotten()
    expect(location.assign).toHaveBeenCalledExactlyOnceWith(url)
    expect(await hasDrafts(ana.id)).toBe(false)
    expect(await hasDrafts('somebody')).toBe(true)
  },
)

const base = '2025-06-10T08:00:00.000Z'
const noon = '2025-06-10T12:00:00.000Z'
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const expectAsked = (text: string) => expect(screen.getByRole('alertdialog').textContent).toBe(text)

test.each([
  ['signOut', '/?onboarding=true'],
  ['logOut', '/api/logout'],
] as const)(
  'a person saves unsaved diary entries and calendar notes by %s, each with its base, and is logged out [ACC-23 R22]',
  async (way, url) => {
    server.on(saveDiaryEntry, ({ input }) => ({ ...input, entry_date: input.date, updated_at: noon }))
    server.on(saveCalendarNote, ({ input }) => ({
      note_date: input.date,
      content: input.note,
      updated_at: noon,
    }))
    await keepDraft([ana.id, 'diary/2025-06-10', 'a tab'], { text: 'Rain', base })
    await keepDraft([ana.id, 'notes/2025-06-11', 'a tab'], { text: 'Call Ben', base: null })
    await type('somebody')
    const leaving = renderLeaving()
    await begin(leaving.current[way])
    press('Save and log out')
    await pass(1000)
    expect(server.inputs(saveDiaryEntry)).toEqual([{ date: '2025-06-10', content: 'Rain', base }])
    expect(server.inputs(saveCalendarNote)).toEqual([{ date: '2025-06-11', note: 'Call Ben', base: null }])
    expectAllForgotten()
    expect(location.assign).toHaveBeenCalledExactlyOnceWith(url)
    expect(await hasDrafts('somebody')).toBe(true)
  },
)

const stored = (content: string) => ({
  current: { entry_date: '2025-06-10', content, updated_at: noon },
})

test.each([
  [
    'whose day was changed elsewhere',
    `Not saved. Diary entry of Tuesday, June 10, 2025: ${diaryErrors.DiaryConflict.error}`,
    () => server.refuse(saveDiaryEntry, 'DiaryConflict', stored('Newer')),
    // Without the text.
    'DiaryConflict',
  ],
  [
    'whose session has ended',
    'Not saved. Log in and try again; your text is kept here.',
    () => server.refuse(saveDiaryEntry, 'SignInRequired'),
    expect.any(RequestError),
  ],
  [
    'without a connection',
    'Not saved. Diary entry of Tuesday, June 10, 2025: Check the connection and try again.',
    () => server.disconnect(saveDiaryEntry),
    expect.any(Error),
  ],
])(
  'a person %s stays logged in and keeps the text [ACC-23 R22]',
  async (_person, sentence, answer, logged) => {
    answer()
    await type(ana.id)
    const leaving = renderLeaving()
    await begin(leaving.current.logOut)
    press('Save and log out')
    await pass(10)
    expectAsked(`${sentence}OK`)
    expect(vi.mocked(console.error).mock.calls).toContainEqual(['Failed to save before logging out', logged])
    press('OK')
    await pass(1000)
    expectNothingForgotten()
    expect(server.inputs(saveDiaryEntry)).toEqual([{ date: '2025-06-10', content: 'Typed', base: null }])
    expect(await hasDrafts(ana.id)).toBe(true)
  },
)

test('a person sees on the pressed button that the text is being saved, until the server has it [ACC-23 R22]', async () => {
  const answer = Promise.withResolvers<void>()
  server.on(saveDiaryEntry, async ({ input }) => {
    await answer.promise
    return { ...input, entry_date: input.date, updated_at: noon }
  })
  await type(ana.id)
  const leaving = renderLeaving()
  await begin(leaving.current.logOut)
  press('Save and log out')
  await pass(5000)
  expect(screen.getByRole('button', { name: 'Save and log out' }).getAttribute('aria-busy')).toBe('true')
  press('Save and log out')
  expectNothingForgotten()

  answer.resolve()
  await pass(10)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(server.calls(saveDiaryEntry)).toHaveLength(1)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/api/logout')
})

test('a person who cancels while the text is being saved stays logged in, and the text is saved [ACC-23 R22]', async () => {
  const answer = Promise.withResolvers<void>()
  server.on(saveDiaryEntry, async ({ input }) => {
    await answer.promise
    return { ...input, entry_date: input.date, updated_at: noon }
  })
  await type(ana.id)
  const leaving = renderLeaving()
  await begin(leaving.current.logOut)
  press('Save and log out')
  await pass(10)
  press('Cancel')
  answer.resolve()
  await pass(1000)
  expectNothingForgotten()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(await hasDrafts(ana.id)).toBe(false)
})

test('a person whose text is stored already, because an answer was lost, is logged out [R7 R22]', async () => {
  server.refuse(saveDiaryEntry, 'DiaryConflict', stored('Typed'))
  await type(ana.id)
  const leaving = renderLeaving()
  await begin(leaving.current.logOut)
  press('Save and log out')
  await pass(10)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/api/logout')
  expectAllForgotten()
})

test('a person who has saved the diary is asked again about a comment that was not sent [ACC-23]', async () => {
  server.on(saveDiaryEntry, ({ input }) => ({ ...input, entry_date: input.date, updated_at: noon }))
  await type(ana.id)
  await keepDraft([ana.id, 'comment/p1', 'a tab'], { text: 'Well said', base: null })
  const leaving = renderLeaving()
  await begin(leaving.current.logOut)
  press('Save and log out')
  await pass(10)
  expectAsked(
    'Some of your text is kept in this browser only. Logging out removes it from this device.CancelLog out without saving',
  )
  press('Cancel')
  await pass(1000)
  expect(server.calls(saveDiaryEntry)).toHaveLength(1)
  expectNothingForgotten()
})

test('a guest, who has no account to save in, is not offered to save [ACC-23]', async () => {
  await type('g1')
  const leaving = renderLeaving(guest)
  await begin(leaving.current.signOut)
  expect(screen.queryByRole('button', { name: 'Save and log out' })).toBeNull()
  press('Log out without saving')
  await pass(1000)
  expectAllForgotten()
  expect(await hasDrafts('g1')).toBe(false)
})

test('a person with an entry for a competition is asked too, and the entry is deleted with the session in this tab [ACC-23 S48]', async () => {
  for (const owner of [ana.id, 'g1', 'somebody'])
    sessionStorage.setItem(`competition-entry:${owner}:2025-06`, '{}')
  const leaving = renderLeaving()
  await begin(leaving.current.signOut)
  fireEvent.click(screen.getByRole('button', { name: 'Log out without saving' }))
  await pass(1000)
  expectAllForgotten()
  expect(Object.keys(sessionStorage)).toEqual(['competition-entry:somebody:2025-06'])
})
