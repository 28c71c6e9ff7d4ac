import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { forgetKept, reopenDatabase } from '#web/lib/device/database.ts'
import { DayKeeper } from '#web/lib/device/days.ts'
import { handleKey } from '#web/lib/keys.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { fillDrafts } from '#web/lib/testing.ts'
import { anEntry, morning } from '#web/testing/diary.ts'
import { button, press } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { localDiary } from './local-diary.ts'
import { forgetPageDiaries, pageDiary } from './page-diary.ts'
import { draft, openDiary, sheet, startDiary, today, type, untilLocked, untilShown } from './testing.tsx'

const { server, stored, serveDiary, saves } = startDiary()

const header = () => screen.getByRole('heading', { level: 2 }).textContent

test('a writer finds an empty sheet for a day without an entry, under its date, with arrows to the days beside it [DIARY-03 DIARY-04 DIARY-05 DIARY-06 DIARY-07 DIARY-16]', async () => {
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

test('a writer finds a saved entry locked and greyed until it is edited, and typing makes it unsaved [DIARY-01 DIARY-08 DIARY-09 DIARY-12 DIARY-13]', async () => {
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

test.each(['', ' \n'])(
  'a writer who opens a day that was saved blank (%j) writes on at once [DIARY-08 DIARY-09]',
  async (blank) => {
    serveDiary(anEntry(today, blank))
    openDiary(ana)
    await untilShown(blank)
    expect(sheet().readOnly).toBe(false)
    expect(screen.queryByRole('button', { name: 'Edit Entry' })).toBeNull()
  },
)

test('a writer reads under the sheet and in a tooltip that entries are private and secure, and who sees them [DIARY-10]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  const sentence = 'Your entries are private and secure. Only you can see them.'
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(screen.queryByRole('tooltip')).toBeNull()
  fireEvent.pointerEnter(button(sentence), { pointerType: 'mouse' })
  expect((await screen.findByRole('tooltip')).textContent).toBe(sentence)
})

test('a person who saves by Ctrl+S and types on edits the entry again, and the page announces it [DIARY-09 DIARY-12]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  for (const key of ['x', ' ', 'Enter', 'Backspace']) {
    expect(screen.queryByText('Locked')).toBeNull()
    sheet().focus()
    type(`Before ${key}`)
    fireEvent.keyDown(sheet(), { key: 's', ctrlKey: true })
    await untilLocked()
    expect(screen.getByText('Locked').closest('output')).toBeTruthy()
    expect(screen.queryByText('Editing')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(button('Edit Entry')))
    // A browser types the key into the field that has the focus after the event.
    expect(fireEvent.keyDown(button('Edit Entry'), { key })).toBe(true)
    expect(document.activeElement).toBe(sheet())
    expect(sheet().readOnly).toBe(false)
    expect(screen.getByText('Editing').closest('output')).toBeTruthy()
  }
})

test('a person who goes to Edit Entry presses it by Space and Enter, and a letter typed there or on the locked sheet is written [DIARY-09 DIARY-12]', async () => {
  serveDiary(anEntry(today, 'Rain.'))
  openDiary(ana)
  await untilShown('Rain.')
  const onPage = vi.fn<() => void>()
  addEventListener('keydown', onPage)
  button('Edit Entry').focus()
  for (const key of [' ', 'Enter', 'Backspace', 'Delete', 'Tab']) {
    fireEvent.keyDown(button('Edit Entry'), { key })
    expect(sheet().readOnly).toBe(true)
  }
  expect(onPage).toHaveBeenCalledTimes(5)
  fireEvent.keyDown(button('Edit Entry'), { key: 'n' })
  expect(sheet().readOnly).toBe(false)
  expect(document.activeElement).toBe(sheet())
  // The shortcuts of the page do not get the letter.
  expect(onPage).toHaveBeenCalledTimes(5)
  removeEventListener('keydown', onPage)
  press('Save Entry')
  await untilLocked()
  sheet().focus()
  expect(fireEvent.keyDown(sheet(), { key: 'x' })).toBe(true)
  expect(sheet().readOnly).toBe(false)
})

test('a person who marks and copies a locked entry keeps the focus in it, and so does a person who has left the sheet [DIARY-09]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  type('By hand')
  button('Next day').focus()
  fireEvent.keyDown(document.body, { key: 's', metaKey: true })
  await untilLocked()
  expect(document.activeElement).toBe(button('Next day'))
  sheet().focus()
  for (const event of [{ key: 'a', ctrlKey: true }, { key: 'ArrowDown' }, { key: 'Tab' }])
    expect(fireEvent.keyDown(sheet(), event)).toBe(true)
  expect(document.activeElement).toBe(sheet())
})

test('a writer who saves sends the day, the text and its base, and the entry is locked [DIARY-11 DIARY-17 DIARY-22]', async () => {
  serveDiary(anEntry(today, 'Rain.'))
  openDiary(ana)
  await untilShown('Rain.')
  press('Edit Entry')
  type('Rain, then sun.')
  press('Save Entry')
  await untilLocked()
  expect(saves()).toEqual([{ date: today, content: 'Rain, then sun.', base: morning }])
  expect(sheet().readOnly).toBe(true)
  expect(screen.getByText(/^Saved \d+:\d\d [AP]M$/)).toBeTruthy()
  await waitFor(async () => expect(await draft(ana.id)).toBeUndefined())
  press('Edit Entry')
  type('Sun.')
  press('Save Entry')
  await waitFor(() => expect(stored.get(today)?.content).toBe('Sun.'))
})

test.each(['ctrlKey', 'metaKey'])(
  'a writer saves by %s and S, and the browser does not open its own dialog [DIARY-11]',
  async (held) => {
    serveDiary()
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
    expect(stored.get(today)?.content).toBe('By hand')
    fireEvent.keyDown(document.body, { key: 's', [held]: true })
    await act(async () => {})
    press('Edit Entry')
    type('By hand, twice')
    fireEvent.keyDown(document.body, { key: 's', [held]: true })
    await waitFor(() => expect(saves()).toHaveLength(2))
    expect(saves()).toMatchObject([{ content: 'By hand' }, { content: 'By hand, twice' }])
  },
)

test('a writer who goes to another day sees its entry, and finds the unsaved text of the first day again [DIARY-05 DIARY-14 DIARY-15 DIARY-18 DIARY-19]', async () => {
  serveDiary(anEntry('2025-06-09', 'Yesterday'))
  openDiary(ana)
  await untilShown('')
  type('Half a thought')
  press('Previous day')
  await untilShown('Yesterday')
  expect(header()).toBe('Monday, June 9, 2025')
  expect(location.search).toBe('?day=2025-06-09')
  expect(localDiary(ana.id).all()).toEqual([])
  expect(pageDiary(ana.id).read(today)).toEqual({
    date: today,
    content: 'Half a thought',
    saved: false,
    updated_at: null,
  })
  press('Next day')
  await untilShown('Half a thought')
  expect(button('Save Entry')).toBeTruthy()
  expect(saves()).toEqual([])
})

test('a writer whose browser has no space for drafts finds the unsaved text of another day again, also after a second visit and a reload [DIARY-14 DIARY-15]', async () => {
  const makeSpace = fillDrafts()
  onTestFinished(makeSpace)
  serveDiary()
  openDiary(ana)
  await untilShown('')
  type('Half a thought')
  for (const _visit of ['first', 'second']) {
    press('Previous day')
    await untilShown('')
    press('Next day')
    await untilShown('Half a thought')
  }
  expect(await screen.findByText('Not saved, and this browser cannot keep it')).toBeTruthy()
  press('Previous day')
  await untilShown('')
  cleanup()
  forgetPageDiaries()
  openDiary(ana)
  await untilShown('Half a thought')
})

test('a writer whose server cannot be read writes on in the text of the day that this device keeps [OWN-02 DIARY-15]', async () => {
  writeKey('userId', ana.id)
  const value = anEntry(today, 'Kept here')
  // The tests of another file, which share this page, may have logged out.
  await reopenDatabase()
  await new DayKeeper(ana.id, 'diary').keep([{ day: today, version: value.updated_at!, value }], 1)
  onTestFinished(forgetKept)
  serveDiary()
  server.refuse(getDiaryEntry, 'NotAllowed')
  openDiary(ana)
  await untilShown('Kept here')
  press('Edit Entry')
  type('Kept here, and written on')
  expect(await screen.findByText('Safe on this device')).toBeTruthy()
})

test('a writer who deletes an unsaved text and goes to another day has no copy of it in this browser [DIARY-14]', async () => {
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
  expect(pageDiary(ana.id).read(today)).toBeUndefined()
  expect(localDiary(ana.id).read(today)).toBeUndefined()
})

test('a writer who writes past midnight stays on the day of the text, saves it there, and goes on by Today [DIARY-05 DIARY-48]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T23:59:00`) })
  onTestFinished(() => void vi.useRealTimers())
  serveDiary()
  openDiary(ana, '/diary')
  await untilShown('')
  type('The last lines of the day.')
  vi.setSystemTime(new Date('2025-06-11T00:01:00'))
  press('Save Entry')
  await untilLocked()
  await waitFor(() => expect(stored.get(today)?.content).toBe('The last lines of the day.'))
  await screen.findByRole('button', { name: 'Today' }, { timeout: 5000 })
  expect(header()).toBe('Tuesday, June 10, 2025')
  await untilShown('The last lines of the day.')
  press('Today')
  await untilShown('')
  expect(header()).toBe('Wednesday, June 11, 2025')
  // The address without a day is opened again, on the new day.
  fireEvent.click(screen.getByRole('link', { name: 'My Diary' }))
  expect(location.search).toBe('')
  expect(header()).toBe('Wednesday, June 11, 2025')
})

test('a writer whose sheet stands on yesterday opens today by My Diary, although the address stays the same [DIARY-05]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T23:50:00`) })
  serveDiary()
  openDiary(ana, '/diary')
  await untilShown('')
  type('The last lines of the day.')
  vi.setSystemTime(new Date('2025-06-11T00:10:00'))
  fireEvent.click(screen.getByRole('link', { name: 'My Diary' }))
  expect(header()).toBe('Wednesday, June 11, 2025')
  await untilShown('')
  press('Previous day')
  await untilShown('The last lines of the day.')
})

test('a writer who left the page open finds the new day in the morning, and the unsaved text on the day before; less than an hour after a key nothing changes [DIARY-05 DIARY-14 DIARY-48 R22]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T23:10:00`) })
  const isShownAt = (time: string) => {
    vi.setSystemTime(new Date(time))
    fireEvent(document, new Event('visibilitychange'))
  }
  serveDiary()
  openDiary(ana, '/diary')
  await untilShown('')
  vi.setSystemTime(new Date(`${today}T23:50:00`))
  fireEvent.keyDown(sheet(), { key: '.' })
  type('The last lines of the day.')
  isShownAt('2025-06-11T00:40:00')
  expect(header()).toBe('Tuesday, June 10, 2025')
  await untilShown('The last lines of the day.')
  // Nobody leaves the page, and nothing but the time changes.
  vi.setSystemTime(new Date('2025-06-11T08:00:00'))
  await screen.findByRole('heading', { name: 'Wednesday, June 11, 2025' }, { timeout: 5000 })
  await untilShown('')
  press('Previous day')
  await untilShown('The last lines of the day.')
  // An address with a day stays on it.
  isShownAt('2025-06-12T08:00:00')
  expect(header()).toBe('Tuesday, June 10, 2025')
})

test.each(['keydown', 'pointerdown', 'beforeinput'])(
  'the first %s of the morning opens the new day before the sheet of the day before receives it [DIARY-05]',
  async (event) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T23:50:00`) })
    serveDiary()
    openDiary(ana, '/diary')
    await untilShown('')
    const evening = sheet()
    vi.setSystemTime(new Date('2025-06-11T08:00:00'))
    fireEvent(evening, new Event(event, { bubbles: true }))
    expect(header()).toBe('Wednesday, June 11, 2025')
    expect(evening.isConnected).toBe(false)
  },
)

test('a writer goes to another day by the keys [ and ], but not while typing [DIARY-05]', async () => {
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

test('a writer cannot go before the first day of the calendar [DIARY-05]', async () => {
  serveDiary()
  openDiary(ana, '/diary?day=1900-01-01')
  await untilShown('')
  expect(button('Previous day').disabled).toBe(true)
  expect(button('Next day').disabled).toBe(false)
})

test('a writer reads the number of words in any script, and by how many characters an entry is too long [DIARY-06]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  expect(screen.getByText('0 words')).toBeTruthy()
  type('once')
  expect(await screen.findByText('1 word')).toBeTruthy()
  type('今日は雨です。')
  expect(await screen.findByText(/^[2-9] words$/)).toBeTruthy()
  type('😀'.repeat(entryMaxLength + 1))
  expect(screen.getByText('1 character too long')).toBeTruthy()
  expect(sheet().getAttribute('aria-invalid')).toBe('true')
  const message = document.getElementById(sheet().getAttribute('aria-describedby')!)
  expect(message?.textContent).toBe('1 character too long')
  expect(button('Save Entry').disabled).toBe(true)
  fireEvent.keyDown(sheet(), { key: 's', ctrlKey: true })
  await act(async () => {})
  type('short')
  expect(sheet().hasAttribute('aria-invalid') || sheet().hasAttribute('aria-describedby')).toBe(false)
  press('Save Entry')
  await untilLocked()
  expect(saves()).toMatchObject([{ content: 'short' }])
})
