import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { anEntry } from '#web/testing/diary.ts'
import { ana } from '#web/testing/people.ts'
import { openDiary, sheet, startDiary, today, type } from './testing.tsx'

const { server, stored, serveDiary, saves } = startDiary()

const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save Entry', hidden: true }))
const untilOpen = () => waitFor(() => expect(sheet().readOnly).toBe(false))
const conflict = () => screen.findByRole('dialog', { name: 'Two versions of this text' })
const answer = async (name: string) => fireEvent.click(within(await conflict()).getByRole('button', { name }))
const untilSettled = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const elsewhere = anEntry(today, 'From the phone', '2025-06-10T10:00:00.000Z')

/** A writer saves a new day here that was saved elsewhere meanwhile. */
async function startConflict() {
  serveDiary()
  openDiary(ana)
  await untilOpen()
  // React warns that the DOM of the tests does not know the element `search`.
  vi.mocked(console.error).mockClear()
  stored.set(today, elsewhere)
  type('From the desk')
  save()
  await conflict()
}

test('a writer whose day was saved elsewhere meanwhile sees both texts, and none is replaced [DIARY-47]', async () => {
  await startConflict()
  const texts = within(await conflict())
  expect(texts.getByLabelText<HTMLTextAreaElement>('Written here').value).toBe('From the desk')
  expect(texts.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the phone')
  expect(stored.get(today)).toEqual(elsewhere)
  expect(console.error).not.toHaveBeenCalled()
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await untilSettled()
  expect(sheet().value).toBe('From the desk')
  save()
  await conflict()
  expect(stored.get(today)).toEqual(elsewhere)
})

test('a writer who keeps the own text replaces the other one [DIARY-47]', async () => {
  await startConflict()
  await answer('Keep this version')
  await waitFor(() => expect(stored.get(today)?.content).toBe('From the desk'))
  expect(saves().at(-1)).toMatchObject({ base: elsewhere.updated_at })
  await screen.findByRole('button', { name: 'Edit Entry' })
})

test('a writer who takes the other text discards the own one [DIARY-47]', async () => {
  await startConflict()
  await answer('Use the other version')
  await waitFor(() => expect(sheet().value).toBe('From the phone'))
  await screen.findByRole('button', { name: 'Edit Entry' })
  expect(stored.get(today)).toEqual(elsewhere)
  expect(saves()).toHaveLength(1)
})

test('a writer who keeps both texts goes on writing in them, and saves them one after the other [DIARY-47]', async () => {
  await startConflict()
  await answer('Keep both')
  await waitFor(() => expect(sheet().value).toBe('From the phone\n\nFrom the desk'))
  expect(stored.get(today)).toEqual(elsewhere)
  await untilSettled()
  await waitFor(() => expect(document.activeElement).toBe(sheet()))
  save()
  await waitFor(() => expect(stored.get(today)?.content).toBe('From the phone\n\nFrom the desk'))
})

test('a writer whose day cannot be loaded writes on an empty sheet, and the first save shows both texts before it replaces one [ERR-16 DIARY-47]', async () => {
  serveDiary(elsewhere)
  server.disconnect(getDiary, getDiaryEntry)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  openDiary(ana)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  vi.useRealTimers()
  await untilOpen()
  expect(sheet().value).toBe('')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByText('What is saved for this day could not be read.')).toBeTruthy()
  type('From the desk')
  save()
  const texts = within(await conflict())
  expect(texts.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the phone')
  expect(saves()).toEqual([{ date: today, content: 'From the desk', base: null }])
  expect(stored.get(today)).toEqual(elsewhere)
  await answer('Use the other version')
  await waitFor(() => expect(sheet().value).toBe('From the phone'))
})

test('a writer whose day cannot be loaded gets it by Try again [ERR-16]', async () => {
  serveDiary(elsewhere)
  server.disconnect(getDiary, getDiaryEntry)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  openDiary(ana)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  vi.useRealTimers()
  serveDiary(elsewhere)
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(sheet().value).toBe('From the phone'))
  expect(screen.queryByText('What is saved for this day could not be read.')).toBeNull()
})
