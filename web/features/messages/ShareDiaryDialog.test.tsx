import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { anEntry } from '#web/testing/diary.ts'
import { ben, messages, startMessagesPage } from './testing.tsx'

const { server, openBen } = startMessagesPage()

/** Opens the dialog. The server has these entries, which a test may change later. */
async function openDialog(entries: Record<string, string>) {
  server.on(
    getDiary,
    Object.entries(entries).map(([day, text]) => anEntry(day, text)),
  )
  server.on(getDiaryEntry, ({ params }) => anEntry(params.day, entries[params.day] ?? ''))
  openBen()
  fireEvent.click(await screen.findByRole('button', { name: 'Share Diary Entry' }))
  return within(await screen.findByRole('dialog', { name: 'Share Diary Entry' }))
}

test('a person chooses among the saved entries by month and day, the newest first, and nothing is sent before [MSG-20 MSG-21]', async () => {
  const dialog = await openDialog({
    '2025-04-30': 'April ends.',
    '2025-06-08': 'Sunday.\nA second line.',
    '2025-06-09': 'Monday.',
  })
  const entries = await dialog.findAllByRole('listitem')
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    '9 MondayMonday.',
    '8 SundaySunday.',
    '30 WednesdayApril ends.',
  ])
  const months = dialog.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(months).toEqual(['June 2025', 'April 2025'])
  expect(dialog.queryByRole('button', { name: /^Share with/ })).toBeNull()
  expect(server.calls(sendMessage)).toEqual([])
})

test('a person reads exactly what will be sent, and shares it: the conversation has a card with the day [MSG-19 MSG-20 MSG-22]', async () => {
  const text = 'The rain began at four.\n\n  I counted umbrellas.'
  const dialog = await openDialog({ '2025-06-09': text })
  fireEvent.click(await dialog.findByRole('button', { name: /^9 Monday/ }))
  expect((await dialog.findByText(/The rain began/)).textContent).toBe(text)
  expect(server.calls(sendMessage)).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Share with Ben Okafor' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.inputs(sendMessage)).toEqual([
    { receiverId: ben.id, messageType: 'diary', content: text, diaryDate: '2025-06-09' },
  ])
  expect(messages()).toEqual([`You: From the diary · Monday, June 9, 2025${text}`])
})

test('a person whose entry was changed meanwhile reads the new text and is asked again [MSG-20]', async () => {
  const entries = { '2025-06-09': 'Old text' }
  const dialog = await openDialog(entries)
  fireEvent.click(await dialog.findByRole('button', { name: /^9 Monday/ }))
  await dialog.findByText('Old text')
  entries['2025-06-09'] = 'New text'
  server.refuse(sendMessage, 'DiaryEntryChanged')
  fireEvent.click(dialog.getByRole('button', { name: 'Share with Ben Okafor' }))
  expect(await dialog.findByText('New text')).toBeTruthy()
  expect(dialog.getByRole('alert').textContent).toBe(
    'This diary entry was changed in the meantime. Please look at it again before you share it.',
  )
  expect(messages()).toEqual([])
})

test('a person goes back from an entry to all entries, and nothing is sent [MSG-21]', async () => {
  const dialog = await openDialog({ '2025-06-09': 'Monday.' })
  fireEvent.click(await dialog.findByRole('button', { name: /^9 Monday/ }))
  fireEvent.click(await dialog.findByRole('button', { name: '← All entries' }))
  expect(await dialog.findAllByRole('listitem')).toHaveLength(1)
  expect(server.calls(sendMessage)).toEqual([])
})

test('a person without a saved entry reads so [MSG-21]', async () => {
  const dialog = await openDialog({})
  expect(await dialog.findByText('You have no saved diary entry yet.')).toBeTruthy()
})

test('a long shared entry shows its beginning, and a button shows the rest [MSG-20]', async () => {
  const text = `${'word '.repeat(200)}the end`
  const dialog = await openDialog({ '2025-06-09': text })
  fireEvent.click(await dialog.findByRole('button', { name: /^9 Monday/ }))
  await dialog.findByText(/the end$/)
  fireEvent.click(dialog.getByRole('button', { name: 'Share with Ben Okafor' }))
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(messages()[0]).not.toContain('the end')
  fireEvent.click(screen.getByRole('button', { name: 'Continue reading' }))
  expect(messages()[0]).toContain('the end')
})
