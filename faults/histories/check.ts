import type { HistoryEvent, History, Passage } from './history.ts'

/** All members must read one story in one order. Returns a sentence for each fault of a history. */
export function findFaults(history: History): string[] {
  return [
    ...faultsOfStory(history),
    ...faultsOfSends(history),
    ...faultsOfLists(history),
    ...Object.keys(history.readers).flatMap((reader) => faultsOfStream(history, reader)),
  ]
}

type EventOf<Kind extends HistoryEvent['kind']> = Extract<HistoryEvent, { kind: Kind }>

/** The events of a kind, with their indexes in the history. */
const eventsOf = <Kind extends HistoryEvent['kind']>({ events }: History, kind: Kind) =>
  events.flatMap((event, index) => (event.kind === kind ? [{ ...(event as EventOf<Kind>), index }] : []))

/** The index after which a reader has no right: -1 for a reader who never had it, Infinity for a reader who keeps it. */
function endOfRights(history: History, reader: string): number {
  if (history.readers[reader] === 'none') return -1
  return eventsOf(history, 'lost rights').find((lost) => lost.reader === reader)?.index ?? Infinity
}

const shown = ({ position, text }: Passage) => `${position} '${text}'`
const isSame = (one: Passage | undefined, other: Passage) =>
  one?.position === other.position && one.id === other.id && one.text === other.text

function faultsOfStory(history: History): string[] {
  const faults: string[] = []
  const sends = new Set(eventsOf(history, 'send').map(({ text }) => text))
  const seen = new Set<string>()
  for (const [index, passage] of history.stored.entries()) {
    if (passage.position !== index + 1) faults.push(`The story has a gap before ${shown(passage)}.`)
    if (seen.has(passage.text)) faults.push(`The story holds '${passage.text}' twice.`)
    if (!sends.has(passage.text)) faults.push(`Nobody sent ${shown(passage)}.`)
    seen.add(passage.text)
  }
  return faults
}

function faultsOfSends(history: History): string[] {
  const faults: string[] = []
  const stored = new Map(history.stored.map((passage) => [passage.text, passage]))
  const sends = new Map(eventsOf(history, 'send').map((send) => [send.op, send]))
  const acknowledged = eventsOf(history, 'acknowledged').map((sent) => ({
    ...sent,
    send: sends.get(sent.op)!,
  }))
  for (const { send, position, id } of acknowledged) {
    const passage = stored.get(send.text)
    if (passage === undefined) faults.push(`'${send.text}' was acknowledged and is lost.`)
    else if (passage.position !== position || passage.id !== id)
      faults.push(`'${send.text}' was acknowledged as ${position} and is ${passage.position}.`)
    if (send.index > endOfRights(history, send.client))
      faults.push(`${send.client} wrote '${send.text}' without the right.`)
  }
  for (const { op } of eventsOf(history, 'refused')) {
    const { text } = sends.get(op)!
    if (stored.has(text)) faults.push(`'${text}' was refused and is stored.`)
  }
  return [...faults, ...faultsOfOrder(acknowledged)]
}

/** A passage that was sent after another one was acknowledged must have a later position. */
function faultsOfOrder(
  acknowledged: { position: number; index: number; send: { index: number; text: string } }[],
) {
  const faults: string[] = []
  const byAnswer = acknowledged.toSorted((one, other) => one.index - other.index)
  const bySend = acknowledged.toSorted((one, other) => one.send.index - other.send.index)
  let answered = 0
  let last: (typeof byAnswer)[number] | undefined
  for (const sent of bySend) {
    for (; answered < byAnswer.length && byAnswer[answered]!.index < sent.send.index; answered++)
      if (last === undefined || byAnswer[answered]!.position > last.position) last = byAnswer[answered]
    if (last !== undefined && sent.position < last.position)
      faults.push(`'${sent.send.text}' was sent after '${last.send.text}' and stands before it.`)
  }
  return faults
}

/** A list must be the beginning of the story, and contain every passage that was acknowledged before the call. */
function faultsOfLists(history: History): string[] {
  const faults: string[] = []
  const reads = new Map(eventsOf(history, 'read').map((read) => [read.op, read]))
  const sent = eventsOf(history, 'acknowledged')
  for (const { op, passages } of eventsOf(history, 'found')) {
    const { reader, index } = reads.get(op)!
    if (index > endOfRights(history, reader)) faults.push(`${reader} read the list without the right.`)
    for (const [position, passage] of passages.entries())
      if (!isSame(history.stored[position], passage))
        faults.push(`${reader} found ${shown(passage)}, which is not in the story.`)
    const known = Math.max(0, ...sent.flatMap((each) => (each.index < index ? [each.position] : [])))
    if (passages.length < known) faults.push(`${reader} found ${passages.length} passages of ${known}.`)
  }
  for (const { op } of eventsOf(history, 'denied')) {
    const { reader, index } = reads.get(op)!
    // While a call takes away the right, the answer may already be a refusal.
    if (endOfRights(history, reader) === Infinity) faults.push(`${reader} was refused the list (${index}).`)
  }
  return faults
}

/** A reader with the right must receive every passage once, in the order of the story. */
function faultsOfStream(history: History, reader: string): string[] {
  const faults: string[] = []
  const received = eventsOf(history, 'received').filter((each) => each.reader === reader)
  const end = endOfRights(history, reader)
  const sends = new Map(eventsOf(history, 'send').map((send) => [send.text, send]))
  for (const [index, { passage }] of received.entries()) {
    const expected = history.stored[index]
    if (passage.position !== index + 1) {
      const before = received[index - 1]?.passage.position ?? 0
      faults.push(`${reader} received ${shown(passage)} after ${before}.`)
      break
    }
    if (!isSame(expected, passage))
      faults.push(`${reader} received ${shown(passage)}, which is not in the story.`)
  }
  for (const { passage } of received)
    if ((sends.get(passage.text)?.index ?? 0) > end)
      faults.push(`${reader} received ${shown(passage)} without the right.`)
  if (end === Infinity && received.length < history.stored.length)
    faults.push(`${reader} received ${received.length} passages of ${history.stored.length}.`)
  if (eventsOf(history, 'reset').some((each) => each.reader === reader))
    faults.push(`${reader} received a reset.`)
  return faults
}
