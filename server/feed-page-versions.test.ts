import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defaultInstance } from './features/instance/index.ts'
import { Prepared } from './platform/http/answers/prepared.ts'
import { Refused } from './platform/http/refusal.ts'
import { createPublicPages } from './public-pages.ts'
import { collectGarbage } from './testing/loop-turns.ts'

/** The pages of a feed whose days all have this text. `today` is asked for at each read of the clock. */
function feedPages(today: () => string, textsOf: () => Prepared, more: object = {}) {
  const sources = {
    config: () => ({ today: today() }),
    configVersion: today,
    instance: defaultInstance,
    addressOf: (path: string) => path,
    feedDay: () => ({ get: async () => ({ prepared: textsOf() }), peek: () => undefined }),
    ...more,
  }
  const pages = createPublicPages(sources as unknown as Parameters<typeof createPublicPages>[0])
  return (query: string) => pages.at('/dashboard', `/dashboard${query}`, 'somebody')
}

test.each([0, 1, 2, 3])(
  'a page that is made while midnight comes, before read %i of the clock, is never cached as the page of the new day with posts of the day before [LOOP-22]',
  async (reads) => {
    let count = 0
    const today = () => (count++ < reads ? '2025-06-10' : '2025-06-11')
    const { version, read } = await feedPages(today, () => new Prepared('["a post"]'))('')
    const { data } = await read()
    const { today: shown } = data.answers['/api/config'] as { today: string }
    expect(version.slice(0, shown.length) <= shown).toBe(true)
  },
)

test('the version of a cached day holds none of its texts in memory [R24]', async () => {
  let texts: WeakRef<Prepared> | undefined
  const textsOf = () => {
    const prepared = new Prepared('["a post"]')
    texts = new WeakRef(prepared)
    return prepared
  }
  const { currentVersion } = await feedPages(() => '2025-06-10', textsOf)('?date=2025-06-09')
  await setImmediate()
  collectGarbage()
  expect([texts!.deref(), currentVersion()]).toEqual([undefined, undefined])
})

test('the page of an empty day that was made while the last day with posts was unavailable is made again at the next request [R22]', async () => {
  const texts = { prepared: new Prepared('[]') }
  const { currentVersion } = await feedPages(
    () => '2025-06-10',
    () => texts.prepared,
    {
      feedDay: () => ({ get: async () => texts, peek: () => texts }),
      lastDayBefore: () => ({ get: () => Promise.reject(new Refused('Unavailable')), peek: () => undefined }),
    },
  )('')
  expect(currentVersion()).toBeUndefined()
})
