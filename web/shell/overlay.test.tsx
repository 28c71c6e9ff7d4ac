import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PassingOverlay, Waiting } from './overlay.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

test.each([
  ['the root', '/', 'Loading...'],
  ['the door', '/?onboarding=true', 'Loading onboarding...'],
])(
  'going back to %s is covered until the page is there [SHELL-58 SHELL-59 SHELL-61 SHELL-56]',
  async (_what, address, text) => {
    vi.useFakeTimers()
    render(<PassingOverlay />)
    history.replaceState(null, '', address)
    act(() => void dispatchEvent(new PopStateEvent('popstate')))
    expect(screen.getByText(text)).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.queryByText(text)).toBeNull()
  },
)

test('going back elsewhere is not covered [SHELL-61]', () => {
  render(<PassingOverlay />)
  history.replaceState(null, '', '/diary')
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
  expect(screen.queryByText(/Loading/)).toBeNull()
})

test('waiting is shown only when it lasts longer than 150 ms [SHELL-93 SHELL-54 SHELL-26]', async () => {
  vi.useFakeTimers()
  render(<Waiting text="Loading Z!mmer..." />)
  await act(() => vi.advanceTimersByTimeAsync(140))
  expect(screen.queryByRole('status')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(screen.getByRole('status').textContent).toBe('Loading Z!mmer...')
})

test('a page that is left is covered at once, and comes back when nothing followed [SHELL-57 SHELL-61]', async () => {
  vi.useFakeTimers()
  render(<PassingOverlay />)
  dispatchEvent(new Event('beforeunload'))
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(screen.queryByRole('status')).toBeNull()
})

test('writing a mail or taking a file covers nothing, for the page stays [SHELL-61]', () => {
  render(
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

test('a page restored by the browser is not covered [SHELL-57 SHELL-61]', () => {
  render(<PassingOverlay />)
  dispatchEvent(new Event('pagehide'))
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  act(() => void dispatchEvent(new Event('pageshow')))
  expect(screen.queryByRole('status')).toBeNull()
})

test('closing an article over the root covers nothing, for the root was there all the time [SHELL-58 SHELL-61]', () => {
  history.replaceState(null, '', '/posts/k7q2m4xp3d')
  render(<PassingOverlay />)
  // As the browser goes back: the address has changed before anybody hears of it.
  goBackTo('/')
  expect(screen.queryByRole('status')).toBeNull()
})

function goBackTo(address: string) {
  History.prototype.replaceState.call(history, null, '', address)
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
}
