import { expect, onTestFinished, test, vi } from 'vitest'
import { createSemaphore, OwnerSemaphores } from './semaphore.ts'

/** Runs work that ends when the test ends it. `begun` has the names in the order in which the work began. */
function startSemaphore(bounds: Parameters<typeof createSemaphore>[0]) {
  const withPermit = createSemaphore(bounds)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (name: string, owner?: string, size = 0) =>
    withPermit(
      async () => {
        begun.push(name)
        await new Promise<void>((end) => ends.push(end))
        return name
      },
      { owner, size },
    )
  const runAll = (count: number, owner: string) =>
    Array.from({ length: count }, (_, i) =>
      run(`${owner} ${i}`, owner).catch(({ code }: { code: string }) => code),
    )
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { run, runAll, begun, endAll }
}

test('a caller who floods the queue is refused, and another caller is served in turn', async () => {
  const { run, runAll, begun, endAll } = startSemaphore({
    atOnce: 1,
    maxWaiting: 100,
    maxWaitingPerOwner: 10,
  })
  const flood = runAll(101, 'flood')
  const other = run('other', 'other')
  await endAll()
  expect(await other).toBe('other')
  const answers = await Promise.all(flood)
  // One runs, ten wait.
  expect(answers.slice(0, 11)).toEqual(Array.from({ length: 11 }, (_, i) => `flood ${i}`))
  expect(answers.slice(11)).toEqual(Array.from({ length: 90 }, () => 'Unavailable'))
  expect(begun.indexOf('other')).toBe(11)
})

test('many callers together fill the queue, and after the work the queue is empty again', async () => {
  const { runAll, endAll } = startSemaphore({ atOnce: 2, maxWaiting: 4, maxWaitingPerOwner: 2 })
  for (let round = 0; round < 2; round++) {
    const answers = ['ana', 'ben', 'eva', 'lea'].flatMap((owner) => runAll(2, owner))
    await endAll()
    expect((await Promise.all(answers)).filter((answer) => answer === 'Unavailable')).toHaveLength(2)
  }
})

test('small work waits only for the work in progress, and large work goes on in the order of arrival [S58]', async () => {
  const { run, begun, endAll } = startSemaphore({ atOnce: 1, maxWaiting: 10 })
  const all = [
    run('large 1', 'flood', 9),
    run('large 2', 'flood', 9),
    run('large 3', 'flood', 9),
    run('small 1', 'ana', 1),
    run('small 2', 'ben', 1),
  ]
  await endAll()
  await Promise.all(all)
  expect(begun).toEqual(['large 1', 'small 1', 'small 2', 'large 2', 'large 3'])
})

test('a small call takes the place of the largest that waits when the queue is full [S58]', async () => {
  const { run, begun, endAll } = startSemaphore({ atOnce: 1, maxWaiting: 2 })
  const settled = Promise.allSettled([
    run('running', 'flood', 9),
    run('large', 'flood', 8),
    run('larger', 'flood', 9),
    run('small', 'ana', 1),
    run('too large', 'flood', 8),
  ])
  await endAll()
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ])
  expect(begun).toEqual(['running', 'small', 'large'])
})

test('a call that waits too long is refused, and others go on in their order [S58]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, begun, endAll } = startSemaphore({ atOnce: 1, maxWaiting: 10, maxWaitMs: 20 })
  const running = run('running')
  const late = run('late')
  vi.advanceTimersByTime(20)
  await expect(late).rejects.toMatchObject({ code: 'Unavailable' })
  const others = [run('first'), run('second')]
  await endAll()
  expect(await Promise.all([running, ...others])).toEqual(['running', 'first', 'second'])
  expect(begun).toEqual(['running', 'first', 'second'])
})

test('work that fails ends its turn, and the next work runs', async () => {
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 1 })
  await expect(withPermit(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withPermit(async () => 'next')).toBe('next')
})

test('each owner has a queue of its own, and an owner without work takes no memory', async () => {
  const owners = new OwnerSemaphores({ atOnce: 1, maxWaiting: 1 })
  const gate = Promise.withResolvers<string>()
  const [first, second] = [1, 2].map(() => owners.run('ana', () => gate.promise))
  await expect(owners.run('ana', () => gate.promise)).rejects.toMatchObject({ code: 'Unavailable' })
  expect(await owners.run('ben', async () => 'done')).toBe('done')
  expect(owners.ownerCount).toBe(1)
  gate.resolve('open')
  expect(await Promise.all([first, second])).toEqual(['open', 'open'])
  await expect(owners.run('eva', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(owners.ownerCount).toBe(0)
})
