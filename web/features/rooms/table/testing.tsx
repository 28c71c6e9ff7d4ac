import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect } from 'vitest'
import type { User } from '#contract/account/user.ts'
import {
  getTurn,
  listAsides,
  passTurn,
  returnToTable,
  renewLease,
  takeSeat,
} from '#contract/rooms/table/endpoints.ts'
import type { ReadersTurn, RoomTurn, Seat } from '#contract/rooms/table/table.ts'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { ana } from '#web/testing/people.ts'
import { startRoomPage } from '../room/testing.tsx'
import { aRoom, now } from '../testing.tsx'

export const ben = 'h3m9w5zt8v'
export const cleo = 'c5x2n7qk4d'

const names: Record<string, string> = { [ana.id]: 'Ana Lima', [ben]: 'Ben Ode', [cleo]: 'Cleo Ray' }

export const seat = (userId: string, more: Partial<Seat> = {}): Seat => ({
  userId,
  name: names[userId] ?? null,
  state: 'ready',
  words: 0,
  ...more,
})

/** A room of which Ana is a member, with turns of two minutes. */
export const aTable = (more: Partial<Room> = {}) =>
  aRoom({ name: 'The mill', isMember: true, turns: 'round', turnSeconds: 120, passageMax: 500, ...more })

/** Ben writes, for a minute and a half. Ana and Cleo sit at the table, too. */
export const aTurn = (more: Partial<ReadersTurn> = {}): ReadersTurn => ({
  roomId: '',
  revision: 5,
  number: 3,
  holderId: ben,
  endsAt: inSeconds(90),
  isLast: false,
  seats: [seat(ana.id, { words: 1 }), seat(ben, { words: 12 }), seat(cleo)],
  waitingCount: 0,
  now: now.toISOString(),
  placeInLine: null,
  tail: null,
  ...more,
})

export const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

/** The field, once the draft is loaded. */
export async function field() {
  const input = await screen.findByLabelText<HTMLTextAreaElement>('Your passage')
  await waitFor(() => expect(input.readOnly).toBe(false))
  return input
}

interface TableVisit {
  room?: Room
  turn?: Partial<ReadersTurn>
  passages?: RoomPassage[]
  user?: User | null
}

/** A test page with a server that has one room with turns. */
export function startTablePage() {
  const { server, openRoom } = startRoomPage()
  const stored = { turn: aTurn() }
  const answer = () => stored.turn
  beforeEach(() => {
    for (const endpoint of [getTurn, takeSeat, renewLease, passTurn, returnToTable])
      server.on(endpoint, answer)
    server.on(listAsides, [])
  })

  /** Opens the page of a room. A test may change `stored.turn`, which the server answers, later. */
  function openTable({ room = aTable(), turn = {}, ...visit }: TableVisit = {}) {
    stored.turn = aTurn({ roomId: room.id, ...turn })
    const page = openRoom({ room, ...visit })
    /** Changes the turn, and sends its event. */
    const emitTurn = (more: Partial<ReadersTurn>) => {
      stored.turn = { ...stored.turn, revision: stored.turn.revision + 1, ...more }
      const { now: _now, placeInLine: _place, tail: _tail, ...event } = stored.turn
      page.emit('room.turn', event satisfies RoomTurn)
    }
    return { ...page, room, table: stored, emitTurn }
  }
  return { server, openTable }
}
