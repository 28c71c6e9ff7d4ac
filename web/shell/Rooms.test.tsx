import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Rooms } from './Rooms.tsx'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const current = () =>
  screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
const title = () => screen.getByRole('heading', { level: 1 }).textContent

test('without a query the creator profiles are shown, and a switch of two leads to the rooms and back [SHELL-37 SHELL-06]', () => {
  history.replaceState(null, '', '/zimmers')
  render(<Rooms />)
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Z!mmer Profiles',
    'Z!mmers',
  ])
  expect(title()).toBe('Z!mmer Profiles')
  fireEvent.click(screen.getByRole('link', { name: 'Z!mmers' }))
  expect(location.search).toBe('?view=rooms')
  expect([title(), ...current().map(({ textContent }) => textContent)]).toEqual(['Z!mmers', 'Z!mmers'])
  fireEvent.click(screen.getByRole('link', { name: 'Z!mmer Profiles' }))
  expect(location.search).toBe('')
  expect(title()).toBe('Z!mmer Profiles')
})
