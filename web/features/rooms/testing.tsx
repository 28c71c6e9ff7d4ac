import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { listFinishedRooms, listOpenRooms, listRooms, listSlowRooms } from '#contract/rooms/endpoints.ts'
import type { FinishedRoom, ListedRoom, SlowRoom } from '#contract/rooms/room.ts'
import { fakeSources } from '#web/lib/live/testing.ts'
import { config, press, show, startTestPage } from '#web/testing/page.tsx'
import { noSettings } from '#web/testing/people.ts'
import { noTurns } from '#web/testing/rooms.ts'
import { RoomsPage } from './RoomsPage.tsx'

export const now = new Date('2025-06-10T12:00:00.000Z')
const minuteMs = 60_000
export const after = (minutes: number) => new Date(now.getTime() + minutes * minuteMs).toISOString()

let count = 0

/** A public room that began five minutes ago and ends in 25 minutes. */
export const aRoom = (more: Partial<ListedRoom> = {}): ListedRoom => ({
  id: `01900000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  name: `Room ${count}`,
  description: 'One carriage, one story.',
  memberCount: 4,
  isActive: true,
  isPublic: true,
  duration: 30,
  expiresAt: after(25),
  createdAt: after(-5),
  createdByUserId: null,
  ...noTurns,
  isMember: false,
  newestPassage: null,
  ...more,
})

export const anEndedRoom = (more: Partial<ListedRoom> = {}) =>
  aRoom({ isActive: false, createdAt: after(-60), expiresAt: after(-30), ...more })

export const aStory = (more: Partial<FinishedRoom> = {}): FinishedRoom => ({
  ...anEndedRoom(),
  endedAt: after(-30),
  lineCount: 12,
  contributorCount: 3,
  ...more,
})

interface Visit {
  rooms?: ListedRoom[]
  open?: ListedRoom[]
  slow?: SlowRoom[]
  stories?: FinishedRoom[]
  at?: string
  user?: User | null
}

/** A test page with a server that has no rooms. */
export function startRooms() {
  const server = startTestPage()
  let stored: Pick<Required<Visit>, 'rooms' | 'open' | 'slow' | 'stories'>
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
    fakeSources()
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
    server.on(listRooms, () => stored.rooms)
    server.on(listOpenRooms, () => stored.open)
    server.on(listSlowRooms, () => stored.slow)
    server.on(listFinishedRooms, () => stored.stories)
    // Requested again when a test moves the clock far ahead.
    server.on(getConfig, config)
    server.on(getSettings, noSettings)
  })

  /** Opens the page of rooms. A test may change `stored`, which the server answers, later. */
  function openRooms({ at = '/zimmers?view=rooms', user = null, ...lists }: Visit = {}) {
    stored = { rooms: [], open: [], slow: [], stories: [], ...lists }
    show(<RoomsPage />, { at, user })
    return { stored }
  }
  return { server, openRooms }
}

/** Presses Join of a room, and joins with the preselected signature. */
export async function join(name: string) {
  press(`Join ${name}`)
  const dialog = within(await screen.findByRole('dialog', { name: 'Join this Z!mmer' }))
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Join' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  fireEvent.click(confirm)
}

export const card = async (name: string) => within(await screen.findByRole('article', { name }))

export async function untilShown(name: string) {
  await waitFor(() => expect(screen.getByRole('article', { name })).toBeTruthy())
}
