import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { guestId } from '#web/lib/session-keys.ts'
import { anEntry } from '#web/testing/diary.ts'
import { ana, guest } from '#web/testing/people.ts'
import { openFormats, saveAs, watchSaving } from '#web/testing/saving.ts'
import { localDiary, localForm } from './local-diary.ts'
import { openDiary, startDiary } from './testing.tsx'

const { server, serveDiary } = startDiary()

const paper = '/diary?view=paper'

/** The entry of this day is in the middle of the window. */
const scrollTo = (day: string) =>
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, 0, 100, this.id >= `entry-${day}` ? innerHeight : 0)
  })

test('a writer saves the month that is in sight on the paper: the menu names it, and the file has its days alone [OWN-08]', async () => {
  serveDiary(anEntry('2025-05-31', 'May'), anEntry('2025-06-01', 'Early'), anEntry('2025-06-12', 'Late'))
  const saved = watchSaving()
  openDiary(ana, paper)
  expect((await openFormats()).textContent).toBe('June 2025PDFEPUBHTMLMarkdownPlain text')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Plain text' }))
  scrollTo('2025-05-31')
  expect((await openFormats()).textContent).toMatch(/^May 2025/)
  fireEvent.click(screen.getByRole('menuitem', { name: 'Plain text' }))
  await waitFor(() =>
    expect(saved.map(({ name }) => name)).toEqual(['Diary 2025-06.txt', 'Diary 2025-05.txt']),
  )
  const bodies = await Promise.all(saved.map(async ({ text }) => (await text()).split('---\n\n').slice(1)))
  expect(bodies).toEqual([
    ['Sunday, June 1st, 2025\n\nEarly\n\n', 'Thursday, June 12th, 2025\n\nLate\n'],
    ['Saturday, May 31st, 2025\n\nMay\n'],
  ])
  expect(server.changes).toEqual([])
})

test('a guest saves a month from this browser, without what is unsaved, and no request carries it [OWN-08]', async () => {
  const local = localDiary(guestId())
  local.write('2025-06-09', localForm(anEntry('2025-06-09', 'Monday')))
  local.write('2025-06-10', { ...localForm(anEntry('2025-06-10', 'Still typing')), saved: false })
  const saved = watchSaving()
  openDiary(guest, paper)
  await screen.findByText('Monday')
  const before = server.requests.length
  await saveAs('Markdown')
  await waitFor(() => expect(saved).toHaveLength(1))
  const text = await saved[0]!.text()
  expect(text).toContain('**Monday, June 9th, 2025**\n\nMonday\n')
  expect(text).not.toContain('Still typing')
  expect(server.requests.slice(before)).toEqual([])
  expect(local.read('2025-06-10')?.content).toBe('Still typing')
})

test('nobody is offered a month of an empty diary [OWN-08]', async () => {
  serveDiary()
  openDiary(ana, paper)
  expect(await screen.findByText('No diary entries yet...')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save as…' })).toBeNull()
})
