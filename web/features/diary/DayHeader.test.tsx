import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anEntry } from '#web/testing/diary.ts'
import { button, press } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { openDiary, sheet, startDiary, today, untilShown } from './testing.tsx'

const { serveDiary, saves, stored } = startDiary()

const date = (name: string) => screen.getByRole('button', { name })

async function openMonth(from: string) {
  fireEvent.click(date(from))
  return within(await screen.findByRole('dialog', { name: 'Choose a day' }))
}

test('a writer opens a month by the date, sees the days with an entry, moves by arrow keys and chooses a day', async () => {
  serveDiary(anEntry('2025-06-03', 'Rain.'))
  openDiary(ana)
  await untilShown('')
  const month = await openMonth('Tuesday, June 10, 2025')
  const day = await month.findByRole('button', { name: 'Tuesday, June 3, 2025, has a diary entry' })
  expect(month.queryByText('Note')).toBeNull()
  const open = month.getByRole('button', { name: 'Tuesday, June 10, 2025' })
  open.focus()
  fireEvent.keyDown(open, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(day)
  fireEvent.click(day)
  await untilShown('Rain.')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.search).toBe('?day=2025-06-03')
})

test('a writer who goes to another day keeps the focus on the arrow, and comes back by Today', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T12:00:00`) })
  onTestFinished(() => void vi.useRealTimers())
  serveDiary()
  openDiary(ana)
  await untilShown('')
  expect(screen.queryByRole('button', { name: 'Today' })).toBeNull()
  button('Previous day').focus()
  press('Previous day')
  await screen.findByRole('heading', { name: 'Monday, June 9, 2025' })
  expect(document.activeElement).toBe(button('Previous day'))
  press('Today')
  await screen.findByRole('heading', { name: 'Tuesday, June 10, 2025' })
  expect(document.activeElement).toBe(date('Tuesday, June 10, 2025'))
  expect(screen.queryByRole('button', { name: 'Today' })).toBeNull()
})

test('a writer who empties a day and comes back to it writes on at once', async () => {
  serveDiary(anEntry('2025-06-10', 'Rain.'))
  openDiary(ana)
  await untilShown('Rain.')
  press('Edit Entry')
  fireEvent.change(sheet(), { target: { value: '' } })
  press('Save Entry')
  await waitFor(() => expect(saves()).toHaveLength(1))
  await waitFor(() => expect(stored.get(today)?.content).toBe(''))
  press('Previous day')
  await screen.findByRole('heading', { name: 'Monday, June 9, 2025' })
  press('Next day')
  await screen.findByRole('heading', { name: 'Tuesday, June 10, 2025' })
  await untilShown('')
  expect(sheet().readOnly).toBe(false)
  expect(button('Save Entry')).toBeTruthy()
})
