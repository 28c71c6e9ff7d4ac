import { expect, test } from 'vitest'
import { Presence, PresenceMessage } from './presence.ts'

const room = '01970000-0000-7000-8000-000000000001'
const personId = (n: number) => String(n).padStart(10, '0')
const [ana, ben] = [personId(1), personId(2)]

/** Processes that receive each other's messages while they are connected. The test sets the time. */
function startProcesses(count: number) {
  let nowMs = 0
  const messages: PresenceMessage[] = []
  const cut = new Set<number>()
  const processes = Array.from({ length: count }, (_, n): Presence => {
    const publish = (message: PresenceMessage) => {
      messages.push(PresenceMessage.parse(JSON.parse(JSON.stringify(message))))
      if (!cut.has(n)) processes.forEach((other, place) => !cut.has(place) && other.receive(message))
    }
    return new Presence({ process: `process ${n}`, now: () => nowMs, publish })
  })
  /** Every process polls in each of so many seconds. */
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      nowMs += 1000
      processes.forEach((process, n) => !cut.has(n) && process.poll())
    }
  }
  return { processes, messages, cut, pass, counts: () => processes.map((process) => process.count(room)) }
}

test('a person counts once, in however many windows and processes, until the last is closed [RVIEW-18]', () => {
  const { processes, pass, counts } = startProcesses(2)
  for (const process of processes) process.addRoom(room)
  processes[0]!.enter(room, ana)
  processes[0]!.enter(room, ana)
  processes[1]!.enter(room, ana)
  processes[1]!.enter(room, ben)
  pass(1)
  expect(counts()).toEqual([2, 2])
  processes[0]!.leave(room, ana)
  pass(1)
  expect(counts()).toEqual([2, 2])
  processes[1]!.leave(room, ben)
  processes[1]!.leave(room, ana)
  pass(1)
  expect(counts()).toEqual([1, 1])
  processes[0]!.leave(room, ana)
  pass(1)
  expect(counts()).toEqual([0, 0])
})

test('a process that begins to carry a room learns at once who is there, and who lets go of it takes its people along [RVIEW-18]', () => {
  const { processes, pass, counts } = startProcesses(2)
  processes[0]!.addRoom(room)
  processes[0]!.enter(room, ana)
  pass(1)
  processes[1]!.addRoom(room)
  expect(counts()).toEqual([1, 1])
  processes[0]!.removeRoom(room)
  expect(counts()).toEqual([0, 0])
})

test('people of a process that has died are forgotten after 40 s, and those of one that lives never [R2 RVIEW-18]', () => {
  const { processes, cut, pass, counts } = startProcesses(3)
  for (const process of processes) process.addRoom(room)
  processes[1]!.enter(room, ana)
  processes[2]!.enter(room, ben)
  pass(100)
  expect(counts()).toEqual([2, 2, 2])
  cut.add(2)
  pass(25)
  expect(counts()[0]).toBe(2)
  pass(16)
  expect(counts()[0]).toBe(1)
})

test('however many people are in a room, each message about them is short enough for the bus', () => {
  const { processes, messages, pass, counts } = startProcesses(2)
  for (const process of processes) process.addRoom(room)
  for (let n = 0; n < 3000; n++) processes[0]!.enter(room, personId(n))
  pass(1)
  expect(counts()).toEqual([3000, 3000])
  for (const message of messages) expect(JSON.stringify(message).length).toBeLessThan(4000)
})
