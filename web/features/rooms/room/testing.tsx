import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import { getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import { announceWriting, getRoom, getRoomMembership, listPassages } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { FakeSource, fakeSources } from '#web/lib/live/testing.ts'
import { config, show, startTestPage } from '#web/testing/page.tsx'
import { ana, noSettings } from '#web/testing/people.ts'
import { unfolded } from '#web/testing/rooms.ts'
import { now } from '../testing.tsx'
import { RoomPage } from './RoomPage.tsx'

let count = 0

export const aPassage = (more: Partial<RoomPassage> = {}): RoomPassage => ({
  id: `01900000-0000-7000-9000-${String(++count).padStart(12, '0')}`,
  content: `Passage ${count}`,
  isErased: false,
  ...unfolded,
  userId: 'h3m9w5zt8v',
  authorName: null,
  roomId: '01900000-0000-7000-8000-000000000001',
  createdAt: now.toISOString(),
  position: 1,
  ...more,
})

export const passages = (roomId: string, ...positions: number[]) =>
  positions.map((position) => aPassage({ roomId, position, content: `Passage ${position}` }))

export interface Visit {
  room: Room
  passages?: RoomPassage[]
  user?: User | null
  at?: string
}

/** A test page with a server that has one room, and a browser that has only this tab and no drafts. */
export function startRoomPage() {
  const server = startTestPage()
  let stored: Pick<Required<Visit>, 'room' | 'passages'>
  beforeEach(async () => {
    await forgetDraftsOf(ana.id)
    fakeSources()
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
    server.on(getRoom, () => stored.room)
    server.on(getRoomMembership, () => ({
      isMember: stored.room.isMember,
      signsWithName: false,
      hasChosenSignature: true,
    }))
    server.on(listPassages, () => stored.passages)
    server.on(getSealFingerprint, { fingerprint: null })
    // Requested again when a test moves the clock far ahead.
    server.on(getConfig, config)
    server.on(getSettings, noSettings)
    server.on(announceWriting, null)
  })

  /** Opens the page of a room. A test may change `stored`, which the server answers, later. */
  function openRoom({ room, passages = [], user = ana, at = roomPath(room.id) }: Visit) {
    stored = { room, passages }
    show(<RoomPage id={room.id} />, { at, user })
    return {
      stored,
      /** Sends an event over the stream. */
      emit: <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]) =>
        FakeSource.open.at(-1)!.send(name, data, String(++count)),
      loseStream: () => FakeSource.open.at(-1)!.fail('lost'),
    }
  }
  return { server, openRoom }
}

export const field = () => screen.findByPlaceholderText<HTMLTextAreaElement>('Continue the story...')

export async function type(text: string) {
  const input = await field()
  fireEvent.change(input, { target: { value: text } })
  return input
}

/** The field, once the draft is loaded. */
export async function readyField() {
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  return input
}

export const story = () =>
  [...document.querySelectorAll('[data-position]')].map((item) => [
    item.querySelector('.reading')?.textContent,
    item.querySelector('.text-xs')?.textContent,
  ])
