import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { FinishedRoom, Room } from '#contract/rooms/room.ts'
import { serve } from '#web/features/feed/testing.tsx'
import { show } from '#web/shell/testing.tsx'
import { RoomsPage } from './RoomsPage.tsx'

export const now = new Date('2025-06-10T12:00:00.000Z')
const minuteMs = 60_000
export const after = (minutes: number) => new Date(now.getTime() + minutes * minuteMs).toISOString()

let count = 0

/** A public room that began five minutes ago and lasts for 25 minutes yet. */
export const aRoom = (more: Partial<Room> = {}): Room => ({
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
  isMember: false,
  ...more,
})

export const anEndedRoom = (more: Partial<Room> = {}) =>
  aRoom({ isActive: false, createdAt: after(-60), expiresAt: after(-30), ...more })

export const aStory = (more: Partial<FinishedRoom> = {}): FinishedRoom => ({
  ...anEndedRoom(),
  endedAt: after(-30),
  lineCount: 12,
  contributorCount: 3,
  ...more,
})

type Answers = Parameters<typeof serve>[0]

interface House {
  rooms?: Room[]
  open?: Room[]
  stories?: FinishedRoom[]
  at?: string
  user?: User | null
  answers?: Answers
}

/** The page as somebody finds it; the lists can be changed meanwhile. */
export function openRooms({ at = '/zimmers?view=rooms', user = null, answers = {}, ...lists }: House = {}) {
  const house = { rooms: [], open: [], stories: [], ...lists }
  const sent = serve({
    'GET /api/zimmers/rooms': () => ({ body: house.rooms }),
    'GET /api/zimmers/open': () => ({ body: house.open }),
    'GET /api/zimmers/finished?limit=24': () => ({ body: house.stories }),
    ...answers,
  })
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
  show(<RoomsPage />, { at, user })
  return {
    house,
    sent,
    /** The calls so far, the ones named by `start` alone. */
    calls: (start = '') =>
      sent.map(({ method, path }) => `${method} ${path}`).filter((call) => call.startsWith(start)),
  }
}

export const readsOfToday = 'GET /api/zimmers/rooms'
export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
export const press = (name: string | RegExp) => fireEvent.click(button(name))
export const card = async (name: string) => within(await screen.findByRole('article', { name }))

export async function untilShown(name: string) {
  await waitFor(() => expect(screen.getByRole('article', { name })).toBeTruthy())
}
