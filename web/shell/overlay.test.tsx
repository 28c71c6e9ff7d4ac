import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { pass } from '#web/lib/testing.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { PassingOverlay, Waiting } from './overlay.tsx'

startTestPage()

test.each([
  ['the root', '/', 'Loading...'],
  ['the onboarding', '/?onboarding=true', 'Loading onboarding...'],
])(
  'a person who goes back to %s sees an overlay until the page is there [SHELL-58 SHELL-59 SHELL-61 SHELL-56]',
  async (_what, address, text) => {
    vi.useFakeTimers()
    show(<PassingOverlay />)
    history.replaceState(null, '', address)
    act(() => void dispatchEvent(new PopStateEvent('popstate')))
    expect(screen.getByText(text)).toBeTruthy()
    await pass(100)
    expect(screen.queryByText(text)).toBeNull()
  },
)

test('a person who goes back to another page sees no overlay [SHELL-61]', () => {
  show(<PassingOverlay />)
  history.replaceState(null, '', '/diary')
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
  expect(screen.queryByText(/Loading/)).toBeNull()
})

test('a person sees a wait only when it lasts longer than 150 ms [SHELL-93 SHELL-54 SHELL-26]', async () => {
  vi.useFakeTimers()
  show(<Waiting text="Loading Z!mmer..." />)
  await pass(140)
  expect(screen.queryByRole('status')).toBeNull()
  await pass(20)
  expect(screen.getByRole('status').textContent).toBe('Loading Z!mmer...')
})

test('a person who leaves sees an overlay at once, which is removed when no page follows [SHELL-57 SHELL-61]', async () => {
  vi.useFakeTimers()
  show(<PassingOverlay />)
  dispatchEvent(new Event('beforeunload'))
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  await pass(3000)
  expect(screen.queryByRole('status')).toBeNull()
})

test('a person who writes a mail or downloads a file sees no overlay, because the page stays [SHELL-61]', () => {
  show(
    <>
      <PassingOverlay />
      <a href="mailto:help@example.org" onClick={(event) => event.preventDefault()}>
        Contact
      </a>
      <button type="button">Log Out</button>
    </>,
  )
  fireEvent.click(screen.getByText('Contact'))
  dispatchEvent(new Event('beforeunload'))
  expect(screen.queryByRole('status')).toBeNull()
  fireEvent.click(screen.getByText('Log Out'))
  dispatchEvent(new Event('beforeunload'))
  expect(screen.getByRole('status').textContent).toBe('Loading...')
})

test('a person who returns to a page that the browser restores sees no overlay [SHELL-57 SHELL-61]', () => {
  show(<PassingOverlay />)
  dispatchEvent(new Event('pagehide'))
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  act(() => void dispatchEvent(new Event('pageshow')))
  expect(screen.queryByRole('status')).toBeNull()
})

test('a person who closes an article over the root sees no overlay, because the root was there all the time [SHELL-58 SHELL-61]', () => {
  show(<PassingOverlay />, { at: '/posts/k7q2m4xp3d' })
  // As in a browser: the address changes before the event.
  goBackTo('/')
  expect(screen.queryByRole('status')).toBeNull()
})

function goBackTo(address: string) {
  History.prototype.replaceState.call(history, null, '', address)
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
}
