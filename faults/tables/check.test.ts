import { expect, test } from 'vitest'
import { findFaults, type StoredPassage, type Told } from './check.ts'
import type { LoggedTable } from './turn-log.ts'

const second = 1000
const people = ['ana', 'ben', 'cem']

/** Three people write in turn, for one second each, and the last passage ends the room. */
function aStory(): Told {
  const members = Object.fromEntries(people.map((id) => [id, { state: 'ready' as const, missed: 0 }]))
  const log = Array.from({ length: 10 }, (_, i): LoggedTable => ({
    roomId: 'room',
    at: 100 * second + i * second,
    revision: i,
    turn: i + 1,
    holder: people[i % 3]!,
    endsAt: 100 * second + i * second + 60 * second,
    leaseAt: 100 * second + i * second + 20 * second,
    isLast: false,
    isEnded: false,
    members: structuredClone(members),
  }))
  log.push({ ...log[9]!, at: 110 * second, holder: null, endsAt: null, leaseAt: null, isEnded: true })
  const passages = Array.from({ length: 10 }, (_, i): StoredPassage => ({
    position: i + 1,
    turn: i + 1,
    userId: people[i % 3]!,
    text: `text ${i + 1}`,
  }))
  return {
    rule: 'round',
    turnMs: 60 * second,
    log,
    passages,
    texts: passages.map((each) => ({ ...each, roomId: 'room', outcome: 'acknowledged' as const })),
    passed: new Set(),
    times: { runs: [{ spawnedAt: 0, readyAt: second, endedAt: Infinity }], stops: [] },
  }
}

/** Turn 5 lapses so many milliseconds after its lease, and all that follows happens later. */
function withLapse(lateMs: number): Told {
  const story = aStory()
  const missed = { state: 'ready' as const, missed: 1 }
  for (const [i, each] of story.log.entries()) if (i >= 5) each.members['ben'] = missed
  const laterMs = story.log[4]!.leaseAt! + lateMs - story.log[5]!.at
  for (const each of story.log.slice(5)) each.at += laterMs
  const written = ({ turn }: { turn: number }) => turn !== 5
  story.texts = story.texts.filter(written)
  story.passages = story.passages.filter(written).map((each, i) => ({ ...each, position: i + 1 }))
  return story
}

const changed = (story: Told, change: (story: Told) => void): Told => {
  change(story)
  return story
}

const shiftStart = (ms: number) => (story: Told) => (story.times.runs[0]!.spawnedAt = ms)

test.each([
  ['a story without a fault', aStory(), []],
  ['a turn that lapsed in time', withLapse(800), []],
  ['a turn that lapsed before its time', withLapse(-500), ['turn 5 was taken 500 ms too early']],
  ['a turn that lapsed late', withLapse(7000), ['turn 5 ended 7000 ms too late']],
  [
    'a turn that should have lapsed before its passage',
    changed(aStory(), ({ log }) => {
      for (const each of log.slice(5)) each.at += 50 * second
    }),
    ['turn 5 ended 31000 ms too late'],
  ],
  [
    'a turn that lapsed late, while the only server was stopped',
    changed(withLapse(7000), ({ times }) => times.stops.push({ from: 0, to: 1000 * second })),
    [],
  ],
  [
    'a turn that was taken by a new process',
    changed(withLapse(800), shiftStart(110 * second)),
    ['turn 5 was taken by a process that had just started'],
  ],
  [
    'a text that was acknowledged and is not stored',
    changed(aStory(), ({ texts }) => texts.push({ ...texts[0]!, text: 'more' })),
    ['lost: turn 1: more by ana'],
  ],
  [
    'a text that was refused and is stored',
    changed(aStory(), ({ texts }) => (texts[3]!.outcome = 'refused')),
    ['stored, but not acknowledged: turn 4: text 4 by ana'],
  ],
  [
    'a text that is stored twice',
    changed(aStory(), ({ passages }) => passages.push({ ...passages[9]!, position: 11 })),
    ['two passages have one turn', 'two passages have one text'],
  ],
  ['a number that is left out', changed(aStory(), ({ log }) => log.splice(4, 1)), ['turn 6 follows turn 4']],
  [
    'a turn that ended without a reason',
    changed(aStory(), (story) => {
      story.texts.splice(9, 1)
      story.passages.splice(9, 1)
      story.log.splice(10, 0, { ...story.log[9]!, turn: 11, holder: 'ben' })
      story.log[11]!.turn = 11
    }),
    ['turn 10 ended without a reason'],
  ],
  ['a room that did not end', changed(aStory(), ({ log }) => log.pop()), ['the room did not end']],
  [
    'a person who is left out',
    changed(aStory(), ({ log }) => {
      for (const [i, each] of log.entries()) each.holder &&= people[i % 2]!
    }),
    ['turn 4: cem waits for 3 turns of others'],
  ],
])('the check of tables finds %s [TURN-03 TURN-09 TURN-14]', (_what, story, faults) => {
  const found = findFaults(story).faults
  expect(faults.filter((fault) => !found.includes(fault))).toEqual([])
  expect(found.length > 0).toBe(faults.length > 0)
})
