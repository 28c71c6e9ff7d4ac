import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Rooms } from './Rooms.tsx'
import { show, startFakes } from './testing.tsx'

startFakes()

const views = () => screen.getByRole('navigation', { name: 'View' })
const view = (name: string) => screen.getByRole('link', { name })
const current = () =>
  screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
const title = () => screen.getByRole('heading', { level: 1 }).textContent

test('without a query the creator profiles are shown, and a switch of two leads to the rooms and back [SHELL-37 SHELL-06]', () => {
  show(<Rooms />, { at: '/zimmers', user: null })
  expect(views().textContent).toBe('Z!mmer ProfilesZ!mmers')
  expect(title()).toBe('Z!mmer Profiles')
  fireEvent.click(view('Z!mmers'))
  expect(location.search).toBe('?view=rooms')
  expect([title(), ...current().map(({ textContent }) => textContent)]).toEqual(['Z!mmers', 'Z!mmers'])
  fireEvent.click(view('Z!mmer Profiles'))
  expect(location.search).toBe('')
  expect(title()).toBe('Z!mmer Profiles')
})

test('a room that is entered has the page to itself [RVIEW-19]', () => {
  show(<Rooms />, { at: '/zimmers?view=rooms&room=01900000-0000-7000-8000-000000000001', user: null })
  expect(screen.queryByRole('navigation', { name: 'View' })).toBeNull()
  expect(screen.queryByText("Today's Z!mmers")).toBeNull()
})
