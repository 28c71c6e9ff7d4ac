import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { startOpenidSignIn } from '#contract/openid/endpoints.ts'
import { getOwnPost } from '#contract/feed/own/endpoints.ts'
import type { AppConfig } from '#contract/app/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { diaryErrors } from '#contract/diary/errors.ts'
import type { Draft } from '#web/lib/editor/draft.ts'
import { draftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { textKinds } from '#web/only-copies.ts'
import { anEntry } from '#web/testing/diary.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Unsent } from './Unsent.tsx'

const server = startTestPage()
const since = '2025-06-10T09:00:00.000Z'

const keep = (place: string, text: string, waiting: Draft['waiting'] = { since }) =>
  keepDraft([ana.id, place, 'closed'], { text, base: null, ...(waiting && { waiting }) })

const isOnline = vi.spyOn(navigator, 'onLine', 'get')
beforeEach(() => {
  isOnline.mockReturnValue(true)
  server.on(getMe, ana)
})
afterEach(() => isOnline.mockReset())

const open = (user = ana, settings: Partial<AppConfig> = {}) =>
  show(
    <>
      <main id="main" />
      <Unsent personId={ana.id} kinds={textKinds} />
    </>,
    { user, settings },
  )
/** Below an open dialog the line is hidden. */
const line = () => screen.getByRole('status', { hidden: true }).textContent
const openList = async () => {
  await waitFor(() => expect(screen.getByRole('status').querySelector('button')).not.toBeNull())
  fireEvent.click(screen.getByRole('status').querySelector('button')!)
  return screen.findByRole('dialog', { name: 'On this device' })
}

test('a person for whom nothing waits sees nothing, and without a network reads that they are offline [OWN-20]', async () => {
  open()
  expect(line()).toBe('')
  isOnline.mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  await waitFor(() => expect(line()).toBe('You are offline.'))
  expect(screen.queryByRole('button')).toBeNull()
  expect(server.requests).toEqual([])
})

test('a person reads in one line what waits, and in the list since when, in which state, and where to find it [OWN-20]', async () => {
  server.disconnect(saveDiaryEntry, getOwnPost)
  await keep('diary/2025-06-09', 'Rain')
  await keep('diary/2025-06-10', 'Wind', { since, hasConflict: true })
  await keep('notes/2025-06-10', 'Call Ben', { since, refusal: diaryErrors.DiaryFull.error })
  await keep('draft/d1', 'A lamp\n\nin the window', { since: '2025-06-10T08:00:00.000Z' })
  await keep('draft/d2', 'Another lamp')
  await keep('comment/p1', 'Only sent by the person')
  open()
  const sentences = '1 day and 2 drafts wait on this device. 1 day and 1 note need your decision.'
  await waitFor(() => expect(line()).toBe(sentences))
  const rows = within(await openList()).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent.replaceAll(/since [^.:]+/g, 'since then'))).toEqual([
    'A lampWaits to be sent since then.',
    'Diary entry of Monday, June 9, 2025Waits to be sent since then.',
    'Diary entry of Tuesday, June 10, 2025Needs your decision since then: this text was also changed elsewhere.',
    'Another lampWaits to be sent since then.',
    `Note of Tuesday, June 10, 2025Not saved since then: ${diaryErrors.DiaryFull.error}`,
  ])
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual([
    '/write/d1',
    '/diary?day=2025-06-09',
    '/diary?day=2025-06-10',
    '/write/d2',
    '/calendar?day=2025-06-10',
  ])
})

test('a person sends what waits by a button, and reads that everything is sent [OWN-20]', async () => {
  server.disconnect(saveDiaryEntry, getOwnPost)
  await keep('diary/2025-06-09', 'Rain')
  open()
  await waitFor(() => expect(line()).toBe('1 day waits on this device.'))
  const dialog = await openList()
  await waitFor(() => expect(button('Send now').getAttribute('aria-busy')).toBeNull())
  server.on(saveDiaryEntry, ({ input }) => anEntry(input.date, input.content))
  press('Send now')
  await waitFor(() => expect(dialog.textContent).toContain('Everything is sent.'))
  expect(server.inputs(saveDiaryEntry).at(-1)).toMatchObject({ content: 'Rain' })
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
  expect(line()).toBe('')
})

test('a person whose server asks to wait reads until when, and has no button that does nothing [OWN-20]', async () => {
  server.refuse(saveDiaryEntry, 'TooManyRequests', { retryAfterSeconds: 3600 })
  await keep('diary/2025-06-09', 'Rain')
  open()
  await waitFor(() => expect(line()).toBe('1 day waits on this device.'))
  const dialog = await openList()
  await waitFor(() => expect(server.inputs(saveDiaryEntry)).toHaveLength(1))
  await waitFor(() => expect(dialog.textContent).toContain('The server asks to wait.'))
  // The minute may have changed since the answer.
  const untils = [3_600_000, 3_590_000].map((ms) => timeOfDay(new Date(Date.now() + ms)))
  expect(untils.some((until) => dialog.textContent.includes(`sent by themselves at ${until}.`))).toBe(true)
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
  expect(within(dialog).getByRole('link').textContent).toBe('Diary entry of Monday, June 9, 2025')
})

test('a person whose session has ended signs in again in the list, and the texts are sent [OWN-03]', async () => {
  server.refuse(saveDiaryEntry, 'SignInRequired')
  await keep('diary/2025-06-09', 'Rain')
  open()
  await openList()
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }))
  server.on(login, ana)
  server.on(saveDiaryEntry, ({ input }) => anEntry(input.date, input.content))
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'secret1' } })
  press('Continue')
  await waitFor(() => expect(server.inputs(saveDiaryEntry)).toMatchObject([{ content: 'Rain' }]))
})

test('a person whose session has ended signs in again at the provider, comes back to the page, and keeps the text [OWN-03 INST-08]', async () => {
  const address = 'https://login.example/auth?state=a-state'
  server.refuse(saveDiaryEntry, 'SignInRequired')
  server.on(startOpenidSignIn, { address })
  await keep('diary/2025-06-09', 'Rain')
  open(ana, { openidName: 'The Library' })
  await openList()
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with The Library' }))
  await waitFor(() => expect(location.assign).toHaveBeenCalledExactlyOnceWith(address))
  expect(sessionStorage.getItem(`openid-return:${ana.id}`)).toBe(location.href)
  expect(await draftsOf(ana.id, 'diary/2025-06-09')).toMatchObject([{ text: 'Rain' }])
})

test('a moderator, who signs in by passcode alone, is not sent to the provider [INST-08 S60]', async () => {
  server.refuse(saveDiaryEntry, 'SignInRequired')
  await keep('diary/2025-06-09', 'Rain')
  open({ ...ana, isModerator: true }, { openidName: 'The Library' })
  await openList()
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }))
  await screen.findByLabelText('Passcode')
  expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull()
})

test('a person for whom something waits installs Z!mmer from the list, where the browser offers it [OWN-20]', async () => {
  server.disconnect(saveDiaryEntry, getOwnPost)
  await keep('diary/2025-06-09', 'Rain')
  open()
  await openList()
  expect(screen.queryByRole('button', { name: 'Install Z!mmer' })).toBeNull()
  const prompt = vi.fn(async () => {})
  act(() => void dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt })))
  press('Install Z!mmer')
  expect(prompt).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Install Z!mmer' })).toBeNull())
})
