import { describe, expect, test } from 'vitest'
import type { DirectMessage } from '#contract/messages/message.ts'
import {
  type Conversation,
  lastOfGroups,
  type MessagePage,
  startOfWindow,
  withNewestPage,
  withMessage,
  withoutMessage,
} from './conversation.ts'
import { aMessage } from './testing.tsx'

const [a, b, c, d, e, f] = [aMessage(), aMessage(), aMessage(), aMessage(), aMessage(), aMessage()]

const page = (before: string | null, ...messages: DirectMessage[]): MessagePage => ({
  before,
  messages,
})
const ids = (conversation: Conversation) => conversation.map(({ messages }) => messages.map(({ id }) => id))
const idsOf = (...pages: DirectMessage[][]) => pages.map((messages) => messages.map((message) => message.id))

test('a message that arrives twice, by its event and by the answer of the call, is shown once, in the order of times [MSG-27]', () => {
  const known: Conversation = [page(null, a, c)]
  expect(ids(withMessage(withMessage(known, b), b))).toEqual(idsOf([a, b, c]))
})

test('a deleted message leaves its page, and the other pages are not drawn again [MSG-27]', () => {
  const known: Conversation = [page('1', a, b), page('3', c)]
  const left = withoutMessage(known, a.id)
  expect(ids(left)).toEqual(idsOf([b], [c]))
  expect(left[1]).toBe(known[1])
})

describe('a person reads the newest messages again [MSG-27 PPL-11]', () => {
  test.each<[string, Conversation | undefined, MessagePage, Conversation | undefined, string[][]]>([
    ['nothing was loaded', undefined, page('5', e, f), undefined, idsOf([e, f])],
    ['nothing has changed', [page('4', d, e)], page('4', d, e), [page('4', d, e)], idsOf([d, e])],
    [
      'earlier pages are adjacent, so they stay',
      [page('1', a, b), page('3', c, d)],
      page('3', c, d, e),
      [page('1', a, b), page('3', c, d)],
      idsOf([a, b], [c, d, e]),
    ],
    [
      'the answer begins within a page, so the rest of the page stays before it',
      [page('1', a, b, c)],
      page('2', b, c, d),
      [page('1', a, b, c)],
      idsOf([a], [b, c, d]),
    ],
    [
      'messages are missing between the pages and the answer, so the pages go',
      [page('1', a, b)],
      page('5', e, f),
      [page('1', a, b)],
      idsOf([e, f]),
    ],
    [
      'a message was deleted elsewhere',
      [page(null, a, b, c)],
      page(null, a, c),
      [page(null, a, b, c)],
      idsOf([a, c]),
    ],
    [
      'a message arrived while the answer was on its way',
      [page(null, a, b, c)],
      page(null, a, b),
      [page(null, a, b)],
      idsOf([a, b, c]),
    ],
    ['all messages were deleted', [page(null, a)], page(null), [page(null, a)], idsOf([])],
  ])('%s', (_case, conversation, answer, asked, expected) => {
    expect(ids(withNewestPage(conversation, answer, asked))).toEqual(expected)
  })
})

/** A message of a person, some minutes after ten. Its id is the two. */
const from = (sender_id: string, minute: number) =>
  aMessage({
    id: `${sender_id} ${minute}`,
    sender_id,
    created_at: new Date(Date.UTC(2025, 5, 10, 10) + minute * 60_000).toISOString(),
  })

test.each<[string, [string, number][], string[]]>([
  ['no messages', [], []],
  ['one message', [['a', 0]], ['a 0']],
  [
    'messages of ten minutes',
    [
      ['a', 0],
      ['a', 10],
      ['a', 20],
    ],
    ['a 20'],
  ],
  [
    'a gap of more than ten minutes',
    [
      ['a', 0],
      ['a', 10.1],
    ],
    ['a 0', 'a 10.1'],
  ],
  [
    'another person between',
    [
      ['a', 0],
      ['b', 1],
      ['a', 2],
    ],
    ['a 0', 'b 1', 'a 2'],
  ],
  [
    'a group of an hour and what follows it',
    [0, 10, 20, 30, 40, 50, 60, 61, 70].map((minute) => ['a', minute]),
    ['a 60', 'a 70'],
  ],
])('%s: only the last of each group has its time in sight [LOOP-30]', (_what, messages, last) => {
  expect([...lastOfGroups(messages.map(([sender, minute]) => from(sender, minute)))]).toEqual(last)
})

test.each<[what: string, minutes: number[], height: number, start: number | null]>([
  ['messages that do not fill it', [0, 1, 2], 1000, null],
  ['more than fill it', [0, 20, 40, 60, 80], 140, 40],
  ['a group of which its edge would show only the end', [0, 20, 21, 22, 80], 140, 20],
])('a window begins with a whole group: %s', (_what, minutes, height, start) => {
  const messages = minutes.map((minute) => from('a', minute))
  expect(startOfWindow(messages, height)).toBe(start === null ? '' : from('a', start).created_at)
})
