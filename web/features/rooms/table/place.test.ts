import { expect, test } from 'vitest'
import type { ReadersTurn, Seat } from '#contract/rooms/table/table.ts'
import { possibleNext, placeOf, sentenceOfTurn } from './place.ts'

const seat = (userId: string, state: Seat['state'] = 'ready'): Seat => ({
  userId,
  name: null,
  state,
  words: 0,
})
const aTurn = (more: Partial<ReadersTurn> = {}): ReadersTurn => ({
  roomId: '',
  revision: 1,
  number: 1,
  holderId: 'ben',
  endsAt: null,
  isLast: false,
  seats: [seat('ana'), seat('ben')],
  waitingCount: 0,
  now: '',
  placeInLine: null,
  tail: null,
  ...more,
})

test.each([
  ['holder', { holderId: 'ana' }, 'Your turn.'],
  ['holder', { holderId: 'ana', isLast: true }, 'The last turn: with your passage the story ends.'],
  ['seated', {}, 'Ben is writing. Prepare your lines. Nobody sees them.'],
  ['seated', { isLast: true }, 'Ben is writing the last passage.'],
  ['away', { seats: [seat('ana', 'away')] }, 'You are away. Your turn comes again when you are back.'],
  ['waiting', { seats: [], placeInLine: 2 }, 'Ben is writing. You are 2nd in line for a seat.'],
  ['waiting', { seats: [], placeInLine: 11 }, 'Ben is writing. You are 11th in line for a seat.'],
  ['unseated', { seats: [] }, 'Ben is writing.'],
  ['reader', {}, 'Ben is writing.'],
] as const)(
  'a person who is %s reads the sentence of the turn: %j [TURN-01 TURN-02 TURN-12]',
  (place, more, sentence) => {
    const turn = aTurn(more as Partial<ReadersTurn>)
    expect(placeOf(turn, 'ana', place !== 'reader')).toBe(place)
    expect(sentenceOfTurn(turn, place, { holder: 'Ben', until: null })).toBe(sentence)
  },
)

test.each([
  ['holder', false, 'Your turn until Friday, 18:00.'],
  ['holder', true, 'The last turn until Friday, 18:00: with your passage the story ends.'],
  ['reader', false, 'Ben is writing until Friday, 18:00.'],
] as const)(
  'at a slow table a person who is %s reads when the turn ends (last turn: %s) [TURN-21]',
  (place, isLast, text) => {
    expect(sentenceOfTurn(aTurn({ isLast }), place, { holder: 'Ben', until: 'Friday, 18:00' })).toBe(text)
  },
)

test('a person reads that nobody is ready, or that too little time is left for another turn [TURN-12 TURN-13]', () => {
  const nothing = { holder: null, until: null }
  const nobody = aTurn({ holderId: null, seats: [seat('ben', 'away')] })
  expect(sentenceOfTurn(nobody, 'reader', nothing)).toBe('Nobody is ready to write.')
  for (const place of ['reader', 'seated'] as const)
    expect(sentenceOfTurn(aTurn({ holderId: null }), place, nothing)).toBe('The story ends in a moment.')
})

test.each([
  ['one other person', ['ana', 'ben'], ['ben', 'ana'], ['ben']],
  ['nobody twice in a row', ['ana', 'ben', 'cleo', 'dan'], ['cleo', 'ben'], ['dan']],
  [
    'at most three authors pause',
    ['ana', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    ['b', 'c', 'd', 'ana'],
    ['b', 'e', 'f', 'g', 'h'],
  ],
  ['nobody at an empty table', ['ana'], ['ana'], []],
  ['before the first passage', ['ana', 'ben'], [], ['ben']],
  [
    'after one passage, where three would pause',
    ['ana', 'b', 'c', 'd', 'e', 'f'],
    ['b', null],
    ['c', 'd', 'e', 'f'],
  ],
])('the holder may hand on the baton: %s [TURN-10]', (_, ready, authors, expected) => {
  const seats = [...ready.map((id) => seat(id)), seat('zoe', 'away')]
  expect(possibleNext(aTurn({ holderId: 'ana', seats }), authors)).toEqual(expected)
})
