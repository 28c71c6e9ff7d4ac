import { expect, test } from 'vitest'
import { afterEvent, emptyOutbox, type Outbox, type OutboxEvent } from './outbox.ts'

const typed = (text: string): OutboxEvent => ({ kind: 'typed', text })
const send = (text: string, key: string): OutboxEvent => ({ kind: 'send', text, key })
const delivered: OutboxEvent = { kind: 'delivered' }
const failed: OutboxEvent = { kind: 'failed' }
const after = (...events: OutboxEvent[]): Outbox => events.reduce(afterEvent, emptyOutbox)

const [one, two] = [
  { text: 'One', key: '1' },
  { text: 'Two', key: '2' },
]

test.each<[string, OutboxEvent[], Partial<Outbox>]>([
  ['a text is sent with its key', [send('One', '1')], { sending: one }],
  ['a blank text is not sent', [send(' \n', '1')], {}],
  ['a delivered message leaves the outbox empty', [send('One', '1'), delivered], {}],
  [
    'a text that is typed while a message is sent stays in the field',
    [send('One', '1'), typed('Two'), delivered],
    { typed: 'Two' },
  ],
  [
    'a send during the send of another message queues the text of the field',
    [send('One', '1'), typed('Two'), send('Two', '2')],
    { sending: one, typed: 'Two', isQueued: true },
  ],
  [
    'a queued text is still queued after the delivery',
    [send('One', '1'), typed('Two'), send('Two', '2'), delivered],
    { typed: 'Two', isQueued: true },
  ],
  [
    'a queued text that is deleted from the field is no longer queued after the delivery',
    [send('One', '1'), typed('Two'), send('Two', '2'), typed(''), delivered],
    { typed: '' },
  ],
  [
    'a blank text is not queued',
    [send('One', '1'), typed(''), send('', '2'), typed('T'), delivered],
    { typed: 'T' },
  ],
  ['a failed message stays in the field when nothing was typed', [send('One', '1'), failed], { failed: one }],
  [
    'a failed message returns to the field above the text that was typed meanwhile',
    [send('One', '1'), typed('Two'), failed],
    { typed: 'One\n\nTwo', failed: one },
  ],
  [
    'a failed message returns to a field that was emptied meanwhile',
    [send('One', '1'), typed('Two'), typed(''), failed],
    { typed: 'One', failed: one },
  ],
  [
    'a queued text is no longer queued after a failure',
    [send('One', '1'), typed('Two'), send('Two', '2'), failed],
    { typed: 'One\n\nTwo', failed: one },
  ],
  [
    'a send of the failed text is a retry with the key of the failed message',
    [send('One', '1'), failed, send('One', '2')],
    { sending: one },
  ],
  [
    'a send of another text than the failed one has the new key',
    [send('One', '1'), failed, send('Two', '2')],
    { sending: two },
  ],
  [
    'a send of the delivered text is a new message with the new key',
    [send('One', '1'), delivered, send('One', '2')],
    { sending: { text: 'One', key: '2' } },
  ],
])('%s', (_title, events, outbox) => {
  expect(after(...events)).toEqual({ ...emptyOutbox, ...outbox })
})

/** Pseudo-random numbers below a maximum; the same seed gives the same numbers. */
function randomNumbers(seed: number) {
  let state = seed
  return (max: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

/**
 * A writer types words and sends them over a network that loses requests, and with `losesAnswers` also answers. In the
 * end the network works and the writer sends until the field is empty. Returns the typed words and the stored texts.
 */
function write(
  seed: number,
  { losesAnswers, typesWhileSending }: Record<'losesAnswers' | 'typesWhileSending', boolean>,
) {
  const random = randomNumbers(seed)
  const stored = new Map<string, string>()
  const words: string[] = []
  let outbox = emptyOutbox
  let field = ''
  let keys = 0
  const apply = (event: OutboxEvent) => {
    const wasSending = outbox.sending
    outbox = afterEvent(outbox, event)
    if (outbox.sending !== wasSending) field = event.kind === 'failed' ? (wasSending?.text ?? '') : ''
    field = outbox.typed ?? field
  }
  const type = () => {
    words.push(`w${words.length}`)
    apply(typed(field === '' ? words.at(-1)! : `${field} ${words.at(-1)}`))
  }
  const press = () => apply(send(field, `key ${++keys}`))
  const answer = (outcome: 'stored' | 'lost request' | 'lost answer') => {
    const { text, key } = outbox.sending!
    if (outcome !== 'lost request') stored.set(key, stored.get(key) ?? text)
    apply(outcome === 'stored' ? delivered : failed)
    if (outbox.isQueued) press()
  }
  for (let step = 0; step < 60; step++) {
    const isSending = outbox.sending !== null
    const choice = random(3)
    if (choice === 0 && (typesWhileSending || (!isSending && outbox.failed === null))) type()
    else if (choice === 1) press()
    else if (isSending)
      answer((['stored', 'lost request', losesAnswers ? 'lost answer' : 'stored'] as const)[random(3)]!)
  }
  while (outbox.sending !== null || field !== '') {
    if (outbox.sending === null) press()
    else answer('stored')
  }
  return { words, stored: [...stored.values()].flatMap((text) => text.split(/\s+/)) }
}

const seeds = Array.from({ length: 500 }, (_, seed) => seed)

test('each typed word is stored once and in order, however many requests are lost while the writer types on', () => {
  for (const seed of seeds) {
    const { words, stored } = write(seed, { losesAnswers: false, typesWhileSending: true })
    expect(stored, `seed ${seed}`).toEqual(words)
  }
})

test('each typed word is stored once and in order, also when answers are lost and the writer sends again', () => {
  for (const seed of seeds) {
    const { words, stored } = write(seed, { losesAnswers: true, typesWhileSending: false })
    expect(stored, `seed ${seed}`).toEqual(words)
  }
})
