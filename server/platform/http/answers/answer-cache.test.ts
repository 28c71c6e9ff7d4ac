import { expect, test } from 'vitest'
import { testClock } from '../../clock.ts'
import { createLocalBus } from '../../live/bus.ts'
import { AnswerCache, type MadeAnswer } from './answer-cache.ts'
import { Prepared } from './prepared.ts'

/** A cache whose answers the test makes. `makings` holds the promise of each making that has begun. */
function startCache({ memory = 100 * 1024 * 1024, maxAgeMs = 5000 } = {}) {
  const clock = testClock('2025-06-10T10:00:00Z')
  const bus = createLocalBus()
  const cache = new AnswerCache({ memory, bus, clock })
  const answers = cache.of('day', { maxAgeMs })
  const makings: ((text?: string, more?: Partial<MadeAnswer>) => void)[] = []
  const get = async (version?: string, key = 'today') => {
    const answer = await answers.get(key, version, async () => {
      const { promise, resolve } = Promise.withResolvers<MadeAnswer | undefined>()
      makings.push((text, more) =>
        resolve(text === undefined ? undefined : { prepared: new Prepared(text), ...more }),
      )
      return promise
    })
    return answer && (await answer.prepared.in('plain')).toString()
  }
  const peek = (version?: string) => answers.peek('today', version)?.prepared.length
  return { cache, answers, clock, bus, makings, get, peek }
}

test('callers who want an answer while it is made share one making, and later callers get the cached one', async () => {
  const { get, makings } = startCache()
  const asked = [get(), get(), get()]
  makings[0]!('one')
  expect(await Promise.all(asked)).toEqual(['one', 'one', 'one'])
  expect(await get()).toBe('one')
  expect(makings).toHaveLength(1)
})

test('an answer whose making began before a change is sent to those who wait, and is not cached [R5]', async () => {
  const { answers, get, makings, peek } = startCache()
  const early = get()
  answers.drop('today')
  const late = get()
  makings[1]!('after')
  expect(await late).toBe('after')
  makings[0]!('before')
  expect(await early).toBe('before')
  expect([peek(), await get()]).toEqual([5, 'after'])
})

test('a caller gets no other version, and an older version that is made later does not replace a newer one', async () => {
  const { clock, get, makings, peek } = startCache()
  const old = get('1')
  clock.advance(1)
  const current = get('2')
  makings[1]!('second')
  expect(await current).toBe('second')
  makings[0]!('first')
  expect(await old).toBe('first')
  expect([peek('1'), peek('2'), peek()]).toEqual([undefined, 6, undefined])
})

test('an answer is cached for the age of its kind or for its own, whichever ends first, and nothing that was not found', async () => {
  const { clock, get, makings, peek } = startCache()
  const ofKind = get()
  makings[0]!('kind')
  await ofKind
  clock.advance(4999)
  expect(peek()).toBe(4)
  clock.advance(1)
  expect(peek()).toBeUndefined()
  for (const maxAgeMs of [1000, 0]) {
    const asked = get()
    makings.at(-1)!('own', { maxAgeMs })
    await asked
    expect(peek()).toBe(maxAgeMs === 0 ? undefined : 3)
    clock.advance(1000)
    expect(peek()).toBeUndefined()
  }
  const missing = get()
  makings.at(-1)!()
  expect(await missing).toBeUndefined()
  void get()
  expect(makings).toHaveLength(5)
})

test('an answer that is not cached evicts no other [R24]', async () => {
  const { answers, get, makings } = startCache({ memory: 10 * 1024 * 1024 })
  const text = 'ink '.repeat(150_000)
  const other = get(undefined, 'other')
  makings[0]!(text)
  await other
  for (const [n, maxAgeMs, isThere] of [
    [1, 0, true],
    [2, 1000, false],
  ] as const) {
    const passing = get()
    makings[n]!(text, { maxAgeMs })
    await passing
    expect(answers.peek('other') !== undefined).toBe(isThere)
  }
})

test('a change is counted in each process, and only for answers that show it', () => {
  const { cache, bus, clock } = startCache()
  const other = new AnswerCache({ memory: 1024 * 1024, bus, clock })
  const before = other.versionOf(['posts', 'stories'])
  cache.noteChange('introductions')
  expect(other.versionOf(['posts', 'stories'])).toBe(before)
  cache.noteChange('stories')
  expect(other.versionOf(['posts', 'stories'])).not.toBe(before)
  expect(other.versionOf(['posts'])).toBe(cache.versionOf(['posts']))
})
