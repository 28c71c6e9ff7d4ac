import { expect, onTestFinished, test, vi } from 'vitest'
import { passageBytes, storyMaxBytes } from '../policy.ts'
import { StoryMaker } from './story-file.ts'
import type { StoryPassage } from './story-queries.ts'
import { watchStoryProcesses } from './testing.ts'
import { type StoryFormat, writeStory } from './write-story.ts'

vi.setConfig({ testTimeout: 300_000 })

const contentLength = 5000
const orderOf = (format: StoryFormat) => ({
  room: {
    id: '01976000-0000-7000-8000-000000000001',
    name: 'The long night',
    description: 'A story',
    opening: null,
    expiresAt: '2025-06-10T22:30:00.000Z',
  },
  timeZone: 'Europe/Berlin',
  format,
  sealed: null,
})

/** So many passages, each of this text over and over. */
const passagesOf = (text: string, count: number): StoryPassage[] =>
  Array.from({ length: count }, (_none, n) => ({
    userId: null,
    authorName: `Ana ${n}`,
    content: text.repeat(contentLength / text.length),
    isErased: false,
    createdAt: '2025-06-10T22:00:00.000Z',
    proof: null,
  }))

/** The longest story that a room takes. */
function longest(text: string) {
  const [{ content }] = passagesOf(text, 1) as [StoryPassage]
  return passagesOf(text, Math.floor(storyMaxBytes / (Buffer.byteLength(content) + passageBytes)))
}

/** Makes a file of passages that are read in pages. */
async function make(
  format: StoryFormat,
  passages: StoryPassage[],
  bounds: { timeMs?: number; heapMb?: number } = {},
) {
  const failures: string[] = []
  const maker = new StoryMaker(orderOf(format), (reason) => void failures.push(reason), {
    // A busy machine may need longer than the bound.
    timeMs: 10 * 60_000,
    ...bounds,
  })
  onTestFinished(() => maker.end())
  const made = (async () => {
    for (let n = 0; n < passages.length; n += 500) await maker.add(passages.slice(n, n + 500))
    return maker.make()
  })()
  return { failures, outcome: (await Promise.allSettled([made]))[0] }
}

test.each(['epub', 'md', 'txt'] as const)(
  'the file of the longest story (%s) is the same from a process as from the server itself [S58]',
  async (format) => {
    const passages = longest('a\u2028<"\\\n\u{1f30a}\r ')
    const started = watchStoryProcesses()
    const { outcome } = await make(format, passages)
    expect(started).toHaveLength(1)
    const expected = writeStory(orderOf(format), passages)
    expect(outcome.status === 'fulfilled' && Buffer.compare(outcome.value, expected)).toBe(0)
  },
)

test.each(['<', '\n'])(
  'the longest story of %j fits into the memory of its process [S58 R24]',
  async (text) => {
    expect(await make('epub', longest(text))).toMatchObject({
      failures: [],
      outcome: { status: 'fulfilled' },
    })
  },
)

test.each([
  ['memory', { heapMb: 24 }, /^SIGABRT\n.*out of memory/is],
  ['time', { timeMs: 1 }, /^It took too long\.$/],
])(
  'a story that takes too much %s is refused, and the next one is made [S58 R16 R24]',
  async (_what, bounds, reason) => {
    const { outcome, failures } = await make('epub', passagesOf('<', 2000), bounds)
    expect(outcome).toMatchObject({
      reason: { code: 'Unavailable', detail: { retryAfter: expect.any(Number) } },
    })
    expect(failures).toEqual([expect.stringMatching(reason)])
    expect((await make('epub', passagesOf('<', 20))).outcome.status).toBe('fulfilled')
  },
)

test('a short story is made without a process [S51]', async () => {
  const started = watchStoryProcesses()
  expect((await make('txt', passagesOf('a', 10))).outcome.status).toBe('fulfilled')
  expect(started).toEqual([])
})

test('a story is short by the bytes that its room counts, not by its letters [S58]', async () => {
  const started = watchStoryProcesses()
  for (const [text, count, processes] of [
    ['漢', 4, 0],
    ['漢', 5, 1],
    ['a', 12, 1],
    ['a', 13, 2],
  ] as const) {
    expect((await make('txt', passagesOf(text, count))).outcome.status).toBe('fulfilled')
    expect([text, count, started.length]).toEqual([text, count, processes])
  }
})

test('a process that no longer gets its story is ended [S58]', async () => {
  const started = watchStoryProcesses()
  const maker = new StoryMaker(orderOf('txt'), () => {})
  await maker.add(passagesOf('a', 20))
  const ended = new Promise((resolve) => started[0]!.once('exit', (_code, signal) => resolve(signal)))
  maker.end()
  expect(await ended).toBe('SIGKILL')
})
