import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { OfflineFeed } from './OfflineFeed.tsx'

startTestPage()
const setOnline = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
beforeEach(() => void setOnline(false))

const open = (at: string) =>
  show(
    <>
      <main id="main" />
      <OfflineFeed />
    </>,
    { at, user: ana },
  )
const notice = () => screen.queryByRole('region', { name: 'Without a connection' })

test('a person who opens the feed without a network reads that it needs one, and finds the way to what the device has [OWN-02]', () => {
  open('/dashboard')
  expect(notice()!.textContent).toContain('The feed needs a connection.')
  const links = within(notice()!).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/diary',
    '/calendar',
    '/writing',
    '/messages',
    '/read-later',
  ])
  fireEvent.click(links[4]!)
  expect(location.pathname).toBe('/read-later')
  expect(notice()).toBeNull()
})

test('the notice goes when the network is back [OWN-02]', () => {
  open('/')
  expect(notice()).not.toBeNull()
  setOnline(true)
  act(() => void dispatchEvent(new Event('online')))
  expect(notice()).toBeNull()
})

test('a page that the device keeps has no such notice [OWN-02]', () => {
  open('/diary')
  expect(notice()).toBeNull()
})
