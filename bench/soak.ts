import { growthOf, type Sample } from '../faults/soak/fit.ts'
import { runTraffic } from '../faults/soak/traffic.ts'
import { inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

/** `node bench/soak.ts 5` runs for five minutes. */
const minutes = Number(process.argv[2] ?? '30')
const forMs = minutes * 60_000
/** The first fifth is left out: the caches fill, and code is compiled. */
const warmUp = 0.2

loadFromOtherCore()
await withInstance(async ({ url, pid }) => {
  const sampleEveryMs = Math.min(5000, forMs / 50)
  const { times, memory, heap, changes, failures } = await runTraffic({ url, pid, forMs, sampleEveryMs })
  const p99 = (from: number, to: number) =>
    quantile(
      between(times, from * forMs, to * forMs).map(({ value }) => value),
      0.99,
    )
  const third = (1 - warmUp) / 3
  const [first, last] = [p99(warmUp, warmUp + third), p99(1 - third, 1)]
  const warm = (samples: Sample[]) => between(samples, warmUp * forMs, forMs)
  const ends = (samples: Sample[]) =>
    [warm(samples)[0]!, samples.at(-1)!].map(({ value }) => inMegabytes(value)).join(' and ')
  printTable(`Mixed traffic for ${minutes} minutes`, [
    fact('calls, and changes among them', `${times.length} and ${changes}`),
    atMost('calls that failed', failures.length, 0, '', 0),
    atMost('memory: growth after the warm-up', growthOf(warm(memory)) * 100, 5, '%'),
    fact('memory after the warm-up and at the end', ends(memory)),
    atMost('heap: growth after the warm-up', growthOf(warm(heap)) * 100, 10, '%'),
    fact('heap after the warm-up and at the end', ends(heap)),
    fact(
      'p99 of the first and the last third after the warm-up',
      `${first.toFixed(1)} and ${last.toFixed(1)} ms`,
    ),
    atMost('p99: last third against the first', last / first, 1.25, '', 2),
  ])
  for (const failure of new Set(failures)) console.error(failure)
})

function between(samples: Sample[], from: number, to: number): Sample[] {
  return samples.filter(({ at }) => at >= from && at < to)
}
