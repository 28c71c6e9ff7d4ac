import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  getRoom,
  listFinishedRooms,
  listOpenRooms,
  listRooms,
  listSlowRooms,
} from '#contract/rooms/endpoints.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { Rooms } from './Rooms.tsx'

const server = startTestPage()

const views = () => screen.getByRole('navigation', { name: 'View' })
const view = (name: string) => screen.getByRole('link', { name })
const current = () =>
  screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
const title = () => screen.getByRole('heading', { level: 1 }).textContent

test('a reader without a query sees the creator profiles, and switches to the rooms and back [SHELL-37 SHELL-06]', async () => {
  for (const list of [listRooms, listOpenRooms, listSlowRooms, listFinishedRooms]) server.on(list, [])
  show(<Rooms />, { at: '/zimmers', user: null })
  expect(views().textContent).toBe('Z!mmer ProfilesZ!mmers')
  await screen.findByRole('heading', { level: 1 })
  expect(title()).toBe('Z!mmer Profiles')
  fireEvent.click(view('Z!mmers'))
  expect(location.search).toBe('?view=rooms')
  await screen.findByRole('heading', { level: 1 })
  expect([title(), ...current().map(({ textContent }) => textContent)]).toEqual(['Z!mmers', 'Z!mmers'])
  fireEvent.click(view('Z!mmer Profiles'))
  expect(location.search).toBe('')
  expect(title()).toBe('Z!mmer Profiles')
})

test('a person in a room sees the room alone on the page [RVIEW-19]', () => {
  server.hold(getRoom)
  show(<Rooms />, { at: '/zimmers?view=rooms&room=01900000-0000-7000-8000-000000000001', user: null })
  expect(screen.queryByRole('navigation', { name: 'View' })).toBeNull()
  expect(screen.queryByText("Today's Z!mmers")).toBeNull()
})
