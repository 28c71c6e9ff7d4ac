import { expect, test } from 'vitest'
import { findFaults } from './check.ts'
import type { HistoryEvent, History, Passage } from './history.ts'

const asPassage = (position: number, text: string): Passage => ({ position, id: `id of ${text}`, text })
const story = ['ana 1', 'ben 1', 'ana 2', 'ben 2', 'ana 3'].map((text, index) => asPassage(index + 1, text))

/** Two people write five passages in turn. Ana and Cem read all of them. Cem's second browser signs out after the third. */
function faultless(): History {
  const events: HistoryEvent[] = []
  for (const [op, passage] of story.entries()) {
    const { position, id, text } = passage
    events.push(
      { kind: 'send', op, client: text.split(' ')[0]!, text },
      { kind: 'acknowledged', op, position, id },
    )
    for (const reader of ['ana', 'cem', ...(position <= 3 ? ['second browser'] : [])])
      events.push({ kind: 'received', reader, passage })
    if (position === 3) events.push({ kind: 'lost rights', reader: 'second browser' })
  }
  events.push(
    { kind: 'read', op: 100, reader: 'cem' },
    { kind: 'found', op: 100, passages: story },
    { kind: 'read', op: 101, reader: 'second browser' },
    { kind: 'denied', op: 101 },
    { kind: 'read', op: 102, reader: 'stranger' },
    { kind: 'denied', op: 102 },
  )
  const readers = { ana: 'member', cem: 'member', 'second browser': 'member', stranger: 'none' } as const
  return { seed: 1, readers, events, stored: story }
}

test('the check of histories finds no fault in a history without one, whether or not a passage without an answer is stored [R2 R9]', () => {
  expect(findFaults(faultless())).toEqual([])
  const unanswered = faultless()
  unanswered.events = unanswered.events.filter(
    ({ kind, op }: Partial<{ kind: string; op: number }>) => kind !== 'acknowledged' || op !== 1,
  )
  unanswered.events.push({ kind: 'send', op: 9, client: 'ana', text: 'ana 4' })
  expect(findFaults(unanswered)).toEqual([])
})

const indexOf = ({ events }: History, kind: HistoryEvent['kind'], count = 0) =>
  events.flatMap((event, index) => (event.kind === kind ? [index] : []))[count]!

/** Changes the passages that a reader received. */
function changeStream(history: History, reader: string, change: (passages: Passage[]) => Passage[]) {
  const others = history.events.filter((each) => each.kind !== 'received' || each.reader !== reader)
  const own = history.events.flatMap((each) =>
    each.kind === 'received' && each.reader === reader ? [each.passage] : [],
  )
  history.events = [
    ...others,
    ...change(own).map((passage): HistoryEvent => ({ kind: 'received', reader, passage })),
  ]
}

const swapped = <T>([first, second, ...rest]: T[]) => [second!, first!, ...rest]

const planted: { fault: string; plant: (history: History) => void; found: string }[] = [
  {
    fault: 'a lost passage',
    plant: (history) => {
      history.stored = history.stored.slice(0, -1)
    },
    found: `'ana 3' was acknowledged and is lost.`,
  },
  {
    fault: 'a passage that is stored twice',
    plant: (history) => {
      history.stored = [...story, { ...story[0]!, position: 6 }]
    },
    found: `The story holds 'ana 1' twice.`,
  },
  {
    fault: 'a passage that nobody sent',
    plant: (history) => {
      history.stored = [...story, asPassage(6, 'nobody')]
    },
    found: `Nobody sent 6 'nobody'.`,
  },
  {
    fault: 'a gap in the positions',
    plant: (history) => {
      history.stored = story.filter(({ position }) => position !== 2)
    },
    found: `The story has a gap before 3 'ana 2'.`,
  },
  {
    fault: 'a passage at another position than the acknowledged one',
    plant: (history) => {
      history.stored = swapped(story).map((passage, index) => ({ ...passage, position: index + 1 }))
    },
    found: `'ana 1' was acknowledged as 1 and is 2.`,
  },
  {
    fault: 'a passage that was refused and is stored',
    plant: ({ events }) => {
      events[indexOf(faultless(), 'acknowledged')] = { kind: 'refused', op: 0 }
    },
    found: `'ana 1' was refused and is stored.`,
  },
  {
    fault: 'a passage before one that was acknowledged earlier',
    plant: (history) => {
      const [one, other] = [indexOf(history, 'acknowledged', 0), indexOf(history, 'acknowledged', 1)]
      const { events } = history
      events[one] = { kind: 'acknowledged', op: 0, position: 2, id: 'id of ana 1' }
      events[other] = { kind: 'acknowledged', op: 1, position: 1, id: 'id of ben 1' }
    },
    found: `'ben 1' was sent after 'ana 1' and stands before it.`,
  },
  {
    fault: 'a reader who misses a passage',
    plant: (history) => changeStream(history, 'cem', (own) => own.filter(({ position }) => position !== 2)),
    found: `cem received 3 'ana 2' after 1.`,
  },
  {
    fault: 'a reader who misses the last passage',
    plant: (history) => changeStream(history, 'cem', (own) => own.slice(0, -1)),
    found: 'cem received 4 passages of 5.',
  },
  {
    fault: 'a reader who receives a passage twice',
    plant: (history) => changeStream(history, 'cem', ([first, ...rest]) => [first!, first!, ...rest]),
    found: `cem received 1 'ana 1' after 1.`,
  },
  {
    fault: 'a reader who reads another order',
    plant: (history) => changeStream(history, 'cem', swapped),
    found: `cem received 2 'ben 1' after 0.`,
  },
  {
    fault: 'a reader who reads another text',
    plant: (history) =>
      changeStream(history, 'cem', (own) =>
        own.map((passage) => ({ ...passage, text: passage.text.toUpperCase() })),
      ),
    found: `cem received 1 'ANA 1', which is not in the story.`,
  },
  {
    fault: 'a reader whose stream was reset',
    plant: ({ events }) => events.push({ kind: 'reset', reader: 'cem' }),
    found: 'cem received a reset.',
  },
  {
    fault: 'a reader who receives a passage after the end of the session',
    plant: ({ events }) => events.push({ kind: 'received', reader: 'second browser', passage: story[3]! }),
    found: `second browser received 4 'ben 2' without the right.`,
  },
  {
    fault: 'a stranger who receives a passage',
    plant: ({ events }) => events.push({ kind: 'received', reader: 'stranger', passage: story[0]! }),
    found: `stranger received 1 'ana 1' without the right.`,
  },
  {
    fault: 'a stranger who reads the list',
    plant: ({ events }) => {
      events[events.length - 1] = { kind: 'found', op: 102, passages: [] }
    },
    found: 'stranger read the list without the right.',
  },
  {
    fault: 'a person who reads the list after the end of the session',
    plant: (history) => {
      history.events[indexOf(history, 'denied')] = { kind: 'found', op: 101, passages: story }
    },
    found: 'second browser read the list without the right.',
  },
  {
    fault: 'a member who is refused the list',
    plant: (history) => {
      history.events[indexOf(history, 'found')] = { kind: 'denied', op: 100 }
    },
    found: 'cem was refused the list',
  },
  {
    fault: 'a list without a passage that was acknowledged before',
    plant: (history) => {
      history.events[indexOf(history, 'found')] = { kind: 'found', op: 100, passages: story.slice(0, 4) }
    },
    found: 'cem found 4 passages of 5.',
  },
  {
    fault: 'a list in another order',
    plant: (history) => {
      history.events[indexOf(history, 'found')] = { kind: 'found', op: 100, passages: swapped(story) }
    },
    found: `cem found 2 'ben 1', which is not in the story.`,
  },
  {
    fault: 'a person who writes after the loss of the right',
    plant: (history) => history.events.splice(1, 0, { kind: 'lost rights', reader: 'ben' }),
    found: `ben wrote 'ben 1' without the right.`,
  },
]

test.for(planted)('the check of histories finds $fault [R2 R9 S41]', ({ plant, found }) => {
  const history = faultless()
  plant(history)
  expect(findFaults(history)).toContainEqual(expect.stringContaining(found))
})
