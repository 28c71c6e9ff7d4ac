import { expect, test } from 'vitest'
import { Presence, PresenceWord } from './presence.ts'

const room = '01970000-0000-7000-8000-000000000001'
const personId = (n: number) => String(n).padStart(10, '0')
const [ana, ben] = [personId(1), personId(2)]

/** Processes that hear each other, while they are connected, at a time that the test tells. */
function startProcesses(count: number) {
  let nowMs = 0
  const words: PresenceWord[] = []
  const cut = new Set<number>()
  const processes = Array.from({ length: count }, (_, n): Presence => {
    const publish = (word: PresenceWord) => {
      words.push(PresenceWord.parse(JSON.parse(JSON.stringify(word))))
      if (!cut.has(n)) processes.forEach((other, place) => !cut.has(place) && other.hear(word))
    }
    return new Presence({ process: `process ${n}`, now: () => nowMs, publish })
  })
  /** A look of every process in each of so many seconds. */
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      nowMs += 1000
      processes.forEach((process, n) => !cut.has(n) && process.look())
    }
  }
  return { processes, words, cut, pass, counts: () => processes.map((process) => process.count(room)) }
}

test('a person counts once, in however many windows and processes, until the last is closed [RVIEW-18]', () => {
  const { processes, pass, counts } = startProcesses(2)
  for (const process of processes) process.carry(room)
  processes[0]!.come(room, ana)
  processes[0]!.come(room, ana)
  processes[1]!.come(room, ana)
  processes[1]!.come(room, ben)
  pass(1)
  expect(counts()).toEqual([2, 2])
  processes[0]!.go(room, ana)
  pass(1)
  expect(counts()).toEqual([2, 2])
  processes[1]!.go(room, ben)
  processes[1]!.go(room, ana)
  pass(1)
  expect(counts()).toEqual([1, 1])
  processes[0]!.go(room, ana)
  pass(1)
  expect(counts()).toEqual([0, 0])
})

test('a process that begins to carry a room learns at once who is there, and who lets go of it takes its people along [RVIEW-18]', () => {
  const { processes, pass, counts } = startProcesses(2)
  processes[0]!.carry(room)
  processes[0]!.come(room, ana)
  pass(1)
  processes[1]!.carry(room)
  expect(counts()).toEqual([1, 1])
  processes[0]!.drop(room)
  expect(counts()).toEqual([0, 0])
})

test('people of a process that has died are forgotten after 40 s, and those of one that lives never [R2 RVIEW-18]', () => {
  const { processes, cut, pass, counts } = startProcesses(3)
  for (const process of processes) process.carry(room)
  processes[1]!.come(room, ana)
  processes[2]!.come(room, ben)
  pass(100)
  expect(counts()).toEqual([2, 2, 2])
  cut.add(2)
  pass(25)
  expect(counts()[0]).toBe(2)
  pass(16)
  expect(counts()[0]).toBe(1)
})

test('however many people are in a room, a word about them is short enough to be carried', () => {
  const { processes, words, pass, counts } = startProcesses(2)
  for (const process of processes) process.carry(room)
  for (let n = 0; n < 3000; n++) processes[0]!.come(room, personId(n))
  pass(1)
  expect(counts()).toEqual([3000, 3000])
  for (const word of words) expect(JSON.stringify(word).length).toBeLessThan(4000)
})
