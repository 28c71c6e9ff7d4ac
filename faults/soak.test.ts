import { expect, test } from 'vitest'
import { startInstance } from './instance.ts'
import { growthOf } from './soak/fit.ts'
import { runTraffic } from './soak/traffic.ts'

/** `npm run bench -- soak` goes on for 30 minutes, and compares memory and times. */
test('people write, read and listen for some seconds, and no call fails [R14]', async () => {
  const { server } = await startInstance()
  const { times, memory, heap, changes, failures } = await runTraffic({
    url: server.url,
    pid: server.process.pid!,
    forMs: 6000,
    sampleEveryMs: 1000,
  })
  expect(failures).toEqual([])
  expect(changes).toBeGreaterThan(30)
  expect(times.length).toBeGreaterThan(changes)
  for (const samples of [memory, heap])
    for (const { value } of samples) expect(value).toBeGreaterThan(2 ** 20)
})

const at = (value: number, index: number) => ({ at: index * 5000, value })

test.each([
  { name: 'a flat line', values: [100, 100, 100, 100], growth: 0 },
  { name: 'a saw', values: [100, 120, 100, 120, 100, 120, 100], growth: 0 },
  { name: 'a line that grows by half', values: [100, 110, 120, 130, 140, 150], growth: 0.5 },
  { name: 'a saw that grows by a tenth', values: [90, 110, 94, 114, 98, 118, 102], growth: 0.1 },
  { name: 'a line that falls', values: [100, 90, 80], growth: -0.2 },
])('the growth of $name is $growth [R14]', ({ values, growth }) => {
  expect(growthOf(values.map(at))).toBeCloseTo(growth, 1)
})
