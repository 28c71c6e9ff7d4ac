import { expect, test } from 'vitest'
import { Presence, type PresenceMessage } from './presence.ts'

const topic = '01970000-0000-7000-8000-000000000001'
const personId = (n: number) => String(n).padStart(10, '0')
const [ana, ben] = [personId(1), personId(2)]

/** Processes that receive each other's messages while they are connected. The test sets the time. */
function startProcesses(count: number) {
  let nowMs = 0
  const messages: PresenceMessage[] = []
  const cut = new Set<number>()
  const processes = Array.from({ length: count }, (_, n): Presence => {
    const publish = (message: PresenceMessage) => {
      messages.push(message)
      if (!cut.has(n)) processes.forEach((other, place) => !cut.has(place) && other.receive(message))
    }
    return new Presence({ process: `process ${n}`, clock: { monotonicMs: () => nowMs }, publish })
  })
  /** Every process polls once a second for this number of seconds. */
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      nowMs += 1000
      processes.forEach((process, n) => !cut.has(n) && process.poll())
    }
  }
  return { processes, messages, cut, pass, counts: () => processes.map((process) => process.count(topic)) }
}

test('a person counts once, in however many windows and processes, until the last is closed [RVIEW-18]', () => {
  const { processes, pass, counts } = startProcesses(2)
  for (const process of processes) process.addTopic(topic)
  processes[0]!.enter(topic, ana)
  processes[0]!.enter(topic, ana)
  processes[1]!.enter(topic, ana)
  processes[1]!.enter(topic, ben)
  pass(1)
  expect(counts()).toEqual([2, 2])
  processes[0]!.leave(topic, ana)
  pass(1)
  expect(counts()).toEqual([2, 2])
  processes[1]!.leave(topic, ben)
  processes[1]!.leave(topic, ana)
  pass(1)
  expect(counts()).toEqual([1, 1])
  processes[0]!.leave(topic, ana)
  pass(1)
  expect(counts()).toEqual([0, 0])
})

test('a process that opens a topic counts the people of other processes at once, and those of a process that closes it no longer [RVIEW-18]', () => {
  const { processes, pass, counts } = startProcesses(2)
  processes[0]!.addTopic(topic)
  processes[0]!.enter(topic, ana)
  pass(1)
  processes[1]!.addTopic(topic)
  expect(counts()).toEqual([1, 1])
  processes[0]!.removeTopic(topic)
  expect(counts()).toEqual([0, 0])
})

test('people of a process that has died are counted for 40 s, and people of a living process always [R2 RVIEW-18]', () => {
  const { processes, cut, pass, counts } = startProcesses(3)
  for (const process of processes) process.addTopic(topic)
  processes[1]!.enter(topic, ana)
  processes[2]!.enter(topic, ben)
  pass(100)
  expect(counts()).toEqual([2, 2, 2])
  cut.add(2)
  pass(25)
  expect(counts()[0]).toBe(2)
  pass(16)
  expect(counts()[0]).toBe(1)
})

test('each message about the people of a topic is short enough for the bus, also with 3,000 people', () => {
  const { processes, messages, pass, counts } = startProcesses(2)
  for (const process of processes) process.addTopic(topic)
  for (let n = 0; n < 3000; n++) processes[0]!.enter(topic, personId(n))
  pass(1)
  expect(counts()).toEqual([3000, 3000])
  for (const message of messages) expect(JSON.stringify(message).length).toBeLessThan(4000)
})
