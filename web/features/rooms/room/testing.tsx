import { fireEvent, screen } from '@testing-library/react'
import { vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { serve } from '#web/features/feed/testing.tsx'
import { FakeSource, fakeSources } from '#web/lib/live/testing.ts'
import { ana, show } from '#web/shell/testing.tsx'
import { now } from '../testing.tsx'
import { RoomPage } from './RoomPage.tsx'

let count = 0

export const aPassage = (more: Partial<RoomPassage> = {}): RoomPassage => ({
  id: `01900000-0000-7000-9000-${String(++count).padStart(12, '0')}`,
  content: `Passage ${count}`,
  userId: 'h3m9w5zt8v',
  authorName: null,
  roomId: '01900000-0000-7000-8000-000000000001',
  createdAt: now.toISOString(),
  position: 1,
  ...more,
})

export const passages = (roomId: string, ...positions: number[]) =>
  positions.map((position) => aPassage({ roomId, position, content: `Passage ${position}` }))

interface House {
  room: Room
  passages?: RoomPassage[]
  user?: User | null
  answers?: Parameters<typeof serve>[0]
}

/** The room as somebody finds it who has come to it; what it answers can be changed meanwhile. */
export function openRoom({ room, user = ana, answers = {}, passages = [] }: House) {
  fakeSources()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
  const house = { room, passages }
  const path = `/api/zimmers/${room.id}`
  const sent = serve({
    [`GET ${path}`]: () => ({ body: house.room }),
    [`GET ${path}/membership`]: () => ({ body: { isMember: house.room.isMember } }),
    [`GET ${path}/messages`]: () => ({ body: house.passages }),
    [`POST ${path}/writing`]: () => ({ status: 200, body: null }),
    ...answers,
  })
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
  show(<RoomPage id={room.id} />, { at: `/zimmers?view=rooms&room=${room.id}`, user })
  return {
    house,
    sent,
    path,
    calls: () => sent.map((call) => `${call.method} ${call.path}`),
    /** As the stream tells it. */
    tell: <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]) =>
      FakeSource.open.at(-1)!.send(name, data, String(++count)),
    stream: () => FakeSource.open.at(-1),
  }
}

export const field = () => screen.findByPlaceholderText<HTMLTextAreaElement>('Continue the story...')

export async function type(text: string) {
  const input = await field()
  fireEvent.change(input, { target: { value: text } })
  return input
}

export const story = () =>
  [...document.querySelectorAll('[data-position]')].map((item) => [
    item.querySelector('.reading')?.textContent,
    item.querySelector('.text-xs')?.textContent,
  ])
