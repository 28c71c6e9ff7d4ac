import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { handleKey } from '#web/lib/keys.ts'
import { localDiary } from './local-diary.ts'
import {
  ana,
  anEntry,
  button,
  draft,
  morning,
  openDiary,
  press,
  serveDiary,
  sheet,
  startDiary,
  today,
  type,
  untilLocked,
  untilShown,
} from './testing.tsx'

startDiary()

const header = () => screen.getByRole('heading', { level: 2 }).textContent

test('a day without an entry is a new one, under its date, with arrows to its neighbours [DIARY-03 DIARY-04 DIARY-05 DIARY-06 DIARY-07 DIARY-16]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('My Diary')
  expect(header()).toBe('Tuesday, June 10, 2025')
  expect(button('Previous day').disabled || button('Next day').disabled).toBe(false)
  expect(sheet().readOnly).toBe(false)
  expect(button('Save Entry')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit Entry' })).toBeNull()
})

test('a saved entry is locked and greyed till it is edited, and typing makes it unsaved [DIARY-01 DIARY-08 DIARY-09 DIARY-12 DIARY-13]', async () => {
  serveDiary(anEntry(today, 'Rain all day.'))
  openDiary(ana)
  await untilShown('Rain all day.')
  expect(sheet().readOnly).toBe(true)
  expect(sheet().className).toContain('bg-sunk')
  press('Edit Entry')
  expect(sheet().readOnly).toBe(false)
  expect(sheet().className).not.toContain('bg-sunk')
  expect(document.activeElement).toBe(sheet())
  expect(button('Save Entry')).toBeTruthy()
  type('Rain all day. Then sun.')
  expect(screen.getByText('Not saved yet')).toBeTruthy()
  await screen.findByText('Safe on this device')
  expect(button('Save Entry')).toBeTruthy()
})

test('a day that was saved blank is locked like any other when it is opened again [DIARY-08 DIARY-09]', async () => {
  serveDiary(anEntry(today, ''))
  openDiary(ana)
  await untilLocked()
  expect(sheet().value).toBe('')
  press('Edit Entry')
  expect(sheet().readOnly).toBe(false)
})

test('a hint says that entries are private and secure, and who sees them [DIARY-10]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  const hint = 'Your entries are private and secure. Only you can see them.'
  fireEvent.pointerEnter(button(hint).parentElement!, { pointerType: 'mouse' })
  expect((await screen.findByRole('tooltip')).textContent).toBe(hint)
})

test('a save sends the day, the text and the version it grew from, and locks the entry [DIARY-11 DIARY-17 DIARY-22]', async () => {
  const server = serveDiary(anEntry(today, 'Rain.'))
  openDiary(ana)
  await untilShown('Rain.')
  press('Edit Entry')
  type('Rain, then sun.')
  press('Save Entry')
  await untilLocked()
  expect(server.saves()).toEqual([{ date: today, content: 'Rain, then sun.', base: morning }])
  expect(sheet().readOnly).toBe(true)
  expect(screen.getByText(/^Saved \d\d:\d\d$/)).toBeTruthy()
  await waitFor(async () => expect(await draft(ana.id)).toBeUndefined())
  press('Edit Entry')
  type('Sun.')
  press('Save Entry')
  await waitFor(() => expect(server.kept.get(today)?.content).toBe('Sun.'))
})

test.each(['ctrlKey', 'metaKey'])(
  '%s and S save, and the browser keeps out of it [DIARY-11]',
  async (held) => {
    const server = serveDiary()
    openDiary(ana)
    await untilShown('')
    type('By hand')
    const event = new KeyboardEvent('keydown', {
      key: 's',
      [held]: true,
      bubbles: true,
      cancelable: true,
    })
    act(() => void sheet().dispatchEvent(event))
    expect(event.defaultPrevented).toBe(true)
    await untilLocked()
    expect(server.kept.get(today)?.content).toBe('By hand')
    fireEvent.keyDown(document.body, { key: 's', [held]: true })
    await act(async () => {})
    press('Edit Entry')
    type('By hand, twice')
    fireEvent.keyDown(document.body, { key: 's', [held]: true })
    await waitFor(() => expect(server.saves()).toHaveLength(2))
    expect(server.saves()).toMatchObject([{ content: 'By hand' }, { content: 'By hand, twice' }])
  },
)

test('the text of the day left waits in this browser, and the other day is loaded [DIARY-05 DIARY-14 DIARY-15 DIARY-18 DIARY-19]', async () => {
  const server = serveDiary(anEntry('2025-06-09', 'Yesterday'))
  openDiary(ana)
  await untilShown('')
  type('Half a thought')
  press('Previous day')
  await untilShown('Yesterday')
  expect(header()).toBe('Monday, June 9, 2025')
  expect(location.search).toBe('?day=2025-06-09')
  expect(JSON.parse(localStorage.getItem(`diary:${ana.id}:${today}`)!)).toEqual({
    date: today,
    content: 'Half a thought',
    saved: false,
    updated_at: null,
  })
  press('Next day')
  await untilShown('Half a thought')
  expect(button('Save Entry')).toBeTruthy()
  expect(server.saves()).toEqual([])
})

test('a text that was taken back leaves nothing behind when the day is left [DIARY-14]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  type('Never mind')
  press('Previous day')
  await untilShown('')
  press('Next day')
  await untilShown('Never mind')
  type('')
  press('Previous day')
  await untilShown('')
  expect(localDiary(ana.id).read(today)).toBeUndefined()
})

test('the keys [ and ] turn the days, but not while somebody types [DIARY-05]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  const key = (name: string, target: Element) =>
    act(() => {
      target.addEventListener('keydown', (event) => handleKey(event as KeyboardEvent), { once: true })
      target.dispatchEvent(new KeyboardEvent('keydown', { key: name }))
    })
  key('[', document.body)
  await waitFor(() => expect(header()).toBe('Monday, June 9, 2025'))
  key(']', sheet())
  expect(header()).toBe('Monday, June 9, 2025')
  key(']', document.body)
  await waitFor(() => expect(header()).toBe('Tuesday, June 10, 2025'))
})

test('the arrows stop where the calendar does [DIARY-05]', async () => {
  serveDiary()
  openDiary(ana, '/diary?day=1900-01-01')
  await untilShown('')
  expect(button('Previous day').disabled).toBe(true)
  expect(button('Next day').disabled).toBe(false)
})

test('the margin counts words in any script, and says when an entry is too long [DIARY-06]', async () => {
  const server = serveDiary()
  openDiary(ana)
  await untilShown('')
  expect(screen.getByText('0 words')).toBeTruthy()
  type('once')
  expect(await screen.findByText('1 word')).toBeTruthy()
  type('今日は雨です。')
  expect(await screen.findByText(/^[2-9] words$/)).toBeTruthy()
  type('😀'.repeat(entryMaxLength + 1))
  expect(screen.getByText('1 characters more than an entry can hold.')).toBeTruthy()
  expect(button('Save Entry').disabled).toBe(true)
  fireEvent.keyDown(sheet(), { key: 's', ctrlKey: true })
  await act(async () => {})
  type('short')
  press('Save Entry')
  await untilLocked()
  expect(server.saves()).toMatchObject([{ content: 'short' }])
})
