import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aMember, aTable, checkHistories } from '#server/testing/table-histories.ts'
import { nextTable } from './next-table.ts'
import type { Table, TableEvent } from './table.ts'

test('2,000 histories of tables, some with a clock that is an hour off, keep to every rule of turns [TURN-02 TURN-03 TURN-04 TURN-05 TURN-06 TURN-08 TURN-09 TURN-10 TURN-12 TURN-13 TURN-19 TURN-22]', () => {
  expect(checkHistories(2000)).toBeGreaterThan(10_000)
}, 60_000)

/** The table after the events, none of which is refused. */
const after = (table: Table, now: number, ...events: TableEvent[]): Table =>
  events.reduce((before, event) => {
    const next = nextTable(before, event, now)
    if (typeof next === 'string') throw new Error(next)
    return next
  }, table)

const seated = (count: number, more: Partial<Table> = {}): Table =>
  after(
    aTable({ roomEndsAt: 1e9, members: Array.from({ length: count }, (_, n) => aMember(`p${n}`)), ...more }),
    0,
    ...Array.from({ length: count }, (_, n) => ({ type: 'sit' as const, memberId: `p${n}` })),
  )

test('at a constant table of up to 8 people nobody waits for more than r + 2 turns, whoever is named [TURN-11]', () => {
  const name = fc.record({ next: fc.nat(7), writes: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(name, { maxLength: 120 }), (count, steps) => {
      let table = seated(count, { rule: 'baton' })
      const waits = new Map(table.members.map(({ id }) => [id, 0]))
      for (const { next, writes } of steps) {
        const ofTurn = { memberId: table.holderId!, number: table.number }
        const eventOf = (nextId?: string): TableEvent =>
          writes ? { type: 'passage', ...ofTurn, nextId, words: 1 } : { type: 'pass', ...ofTurn, nextId }
        const named = nextTable(table, eventOf(`p${next % count}`), 0)
        table = typeof named === 'string' ? after(table, 0, eventOf()) : named
        for (const [id, turns] of waits) waits.set(id, id === table.holderId ? 0 : turns + 1)
        expect(Math.max(...waits.values())).toBeLessThanOrEqual(count + 2)
      }
    }),
    { numRuns: 300 },
  )
})

test('two writers who name each other keep the baton until the third has waited for r + 2 turns [TURN-10 TURN-11]', () => {
  let table = seated(3, { rule: 'baton' })
  const holders = [table.holderId]
  for (let n = 0; n < 7; n++) {
    const memberId = table.holderId!
    const nextId = memberId === 'p0' ? 'p1' : 'p0'
    table = after(table, 0, { type: 'passage', memberId, number: table.number, nextId, words: 1 })
    holders.push(table.holderId)
  }
  expect(holders).toEqual(['p0', 'p1', 'p0', 'p1', 'p0', 'p2', 'p0', 'p1'])
})

test('the 13th member waits for a seat, and gets that of a member who is away for 10 minutes [TURN-02 TURN-08]', () => {
  let table = seated(13)
  expect(table.members.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 12 }, () => 'ready'),
    'waiting',
  ])
  // Nobody renews a lease: everybody is away after the second lapsed turn.
  let now = 0
  for (let n = 0; n < 24; n++) table = after(table, (now += 20_000), { type: 'tick' })
  expect(table.members.filter(({ state }) => state === 'away')).toHaveLength(12)
  expect(table.holderId).toBeNull()
  const awaySince = 13 * 20_000
  expect(after(table, awaySince + 599_999, { type: 'tick' })).toEqual(table)
  const later = after(table, awaySince + 600_000, { type: 'tick' })
  expect(later.members.map(({ state }) => state)).toEqual([
    'absent',
    ...Array.from({ length: 11 }, () => 'away'),
    'ready',
  ])
  expect(later).toMatchObject({ holderId: 'p12', number: table.number + 1 })
})

test('in a slow table a holder who closes the page keeps the turn until its end [TURN-22]', () => {
  const hours = 3_600_000
  const table = seated(2, { turnMs: 12 * hours, isSlow: true })
  expect(after(table, 12 * hours - 1, { type: 'tick' })).toEqual(table)
  expect(after(table, 12 * hours, { type: 'tick' })).toMatchObject({ holderId: 'p1', number: 2 })
})
