import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ana, anEntry, openDiary, serveDiary, sheet, startDiary, today, type } from './testing.tsx'

startDiary()

const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save Entry', hidden: true }))
const untilOpen = () => waitFor(() => expect(sheet().readOnly).toBe(false))
const question = () => screen.findByRole('dialog', { name: 'Two texts for one place' })
const answer = async (name: string) => fireEvent.click(within(await question()).getByRole('button', { name }))
const untilSettled = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const elsewhere = anEntry(today, 'From the phone', '2025-06-10T10:00:00.000Z')

/** Somebody writes a new day here while the same day is saved elsewhere. */
async function writeTwice() {
  const server = serveDiary()
  openDiary(ana)
  await untilOpen()
  server.kept.set(today, elsewhere)
  type('From the desk')
  save()
  await question()
  return server
}

test('a day that was saved elsewhere meanwhile is shown beside the own text, and nothing is replaced [DIARY-47]', async () => {
  const server = await writeTwice()
  const texts = within(await question())
  expect(texts.getByLabelText<HTMLTextAreaElement>('Written here').value).toBe('From the desk')
  expect(texts.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the phone')
  expect(server.kept.get(today)).toEqual(elsewhere)
  expect(console.error).not.toHaveBeenCalled()
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await untilSettled()
  expect(sheet().value).toBe('From the desk')
  save()
  await question()
  expect(server.kept.get(today)).toEqual(elsewhere)
})

test('the writer keeps the own text, which replaces the other one [DIARY-47]', async () => {
  const server = await writeTwice()
  await answer('Keep this one')
  await waitFor(() => expect(server.kept.get(today)?.content).toBe('From the desk'))
  expect(server.saves().at(-1)).toMatchObject({ base: elsewhere.updated_at })
  await screen.findByRole('button', { name: 'Edit Entry' })
})

test('the writer takes the other text, and the own one is given up [DIARY-47]', async () => {
  const server = await writeTwice()
  await answer('Take the other one')
  await waitFor(() => expect(sheet().value).toBe('From the phone'))
  await screen.findByRole('button', { name: 'Edit Entry' })
  expect(server.kept.get(today)).toEqual(elsewhere)
  expect(server.saves()).toHaveLength(1)
})

test('the writer keeps both texts, one after the other, and saves them [DIARY-47]', async () => {
  const server = await writeTwice()
  await answer('Keep both')
  await waitFor(() => expect(sheet().value).toBe('From the phone\n\nFrom the desk'))
  expect(server.kept.get(today)).toEqual(elsewhere)
  await untilSettled()
  save()
  await waitFor(() => expect(server.kept.get(today)?.content).toBe('From the phone\n\nFrom the desk'))
})

test('a day that could not be loaded is an empty sheet to write on, and its first save asks before it replaces [ERR-16 DIARY-47]', async () => {
  const server = serveDiary(elsewhere)
  server.instead = ({ method }) => (method === 'GET' ? 'away' : undefined)
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
  const texts = within(await question())
  expect(texts.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the phone')
  expect(server.saves()).toEqual([{ date: today, content: 'From the desk', base: null }])
  expect(server.kept.get(today)).toEqual(elsewhere)
})

test('a day that could not be loaded is read when asked for again [ERR-16]', async () => {
  const server = serveDiary(elsewhere)
  server.instead = ({ method }) => (method === 'GET' ? 'away' : undefined)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  openDiary(ana)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  vi.useRealTimers()
  server.instead = () => undefined
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(sheet().value).toBe('From the phone'))
  expect(screen.queryByText('What is saved for this day could not be read.')).toBeNull()
})
