import { expect, test } from 'vitest'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { unfolded } from '#web/testing/rooms.ts'
import { followsWithoutGap, mergePassages } from './passages.ts'
import { tintOf } from './tints.ts'

const at = (...positions: number[]): RoomPassage[] =>
  positions.map((position) => ({
    id: `01900000-0000-7000-8000-${String(position).padStart(12, '0')}`,
    content: `Passage ${position}`,
    isErased: false,
    ...unfolded,
    userId: null,
    authorName: null,
    roomId: '01900000-0000-7000-8000-ffffffffffff',
    createdAt: '2025-06-10T12:00:00.000Z',
    position,
  }))

test.each([
  ['no passages, and there were none', [], [], []],
  ['the next passage', [1, 2], [3], [1, 2, 3]],
  ['passages it has', [1, 2, 3], [2, 3], [1, 2, 3]],
  ['passages in another order', [1], [3, 2], [1, 2, 3]],
  ['earlier passages', [4, 5], [1, 2, 3], [1, 2, 3, 4, 5]],
  ['the newest passages after a long absence', [1, 2, 3], [9, 10], [9, 10]],
  ['a page that overlaps', [5, 6, 7], [6, 7, 8, 9], [5, 6, 7, 8, 9]],
])('a story joined with %s shows each passage once and in order [R9 RVIEW-07]', (_what, known, more, all) => {
  expect(mergePassages(at(...known), at(...more)).map(({ position }) => position)).toEqual(all)
})

test('a passage whose author has deleted the account replaces the known one', () => {
  const [before] = at(1)
  expect(mergePassages([{ ...before!, userId: 'k7q2m4xp3d' }], [before!])).toEqual([before])
})

test('a passage after a gap shows that passages are missing [R9]', () => {
  const [first, , third] = at(1, 2, 3)
  expect([
    followsWithoutGap([], first!),
    followsWithoutGap([first!], first!),
    followsWithoutGap([first!], third!),
  ]).toEqual([true, true, false])
})

test('an author has the same tint on every page, and most authors of a room have different ones', () => {
  const ids = ['k7q2m4xp3e', 'h3m9w5zt8v', 'c5x2n7qk4d', 'a1b2c3d4e5', 'zz9y8x7w6v', 'm0n1p2q3r4']
  const tints = ids.map(tintOf)
  expect(ids.map(tintOf)).toEqual(tints)
  for (const { text } of tints) expect(text).toMatch(/^text-author-[1-6]$/)
  expect(new Set(tints).size).toBeGreaterThanOrEqual(3)
})
