import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { atMost, fact, median, printTable, quantile } from './table.ts'

// The search in the own diary, without its worker: the index of nine years of days, and each key of some queries. The times are
// those of the processor, so that other work on the machine does not count.

interface Index {
  take: (message: object) => unknown
}

// The page is another project of TypeScript, so its file is not imported by name.
const file = join(import.meta.dirname, '../web/features/diary/search/day-index.ts')
const { DayIndex } = (await import(pathToFileURL(file).href)) as { DayIndex: new () => Index }

const diaryFile = process.env['BENCH_DIARY'] ?? join(import.meta.dirname, '../../shared/data/pepys.jsonl')
const queries = [
  'a',
  'the office',
  'my wife dinner',
  '"up and to the office"',
  'pap bookbinder',
  'zzz',
  'Ōffice',
  '"and so to bed',
]

if (existsSync(diaryFile)) measure()
else console.log('Skipped: the diary of Samuel Pepys is not on this machine.')

function measure() {
  const days = readFileSync(diaryFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { date: string; content: string })
    .map(({ date, content }) => ({ kind: 'diary' as const, day: date, content, updatedAt: date }))
  const before = usedBytes()
  const index = new DayIndex()
  const start = processorMs()
  // The page sends parts of 500,000 characters.
  const parts = 13
  const longest = Math.ceil(days.length / parts)
  const partTimes = Array.from({ length: parts }, (_, n) => {
    const partStart = processorMs()
    index.take({ put: structuredClone(days.slice(n * longest, (n + 1) * longest)), removed: [] })
    return processorMs() - partStart
  })
  const built = processorMs() - start
  const bytes = usedBytes() - before
  const perKey = queries.map((query) => ({ query, times: timesOfTyping(index, query) }))
  const all = perKey.flatMap(({ times }) => times)
  printTable(`Search in a diary of ${days.length} days`, [
    fact('index of all days', `${built.toFixed(0)} ms`),
    fact('the longest of its 13 parts', `${Math.max(...partTimes).toFixed(0)} ms`),
    fact('memory of the index with its texts', `${(bytes / 2 ** 20).toFixed(1)} MiB`),
    fact('a key, median', `${median(all).toFixed(1)} ms`),
    atMost('a key, 95 of 100', quantile(all, 0.95), 50, 'ms'),
    atMost('the slowest key', Math.max(...all), 100, 'ms'),
    ...perKey.map(({ query, times }) =>
      fact(`slowest key of \`${query}\``, `${Math.max(...times).toFixed(1)} ms`),
    ),
  ])
}

/** Types a query a few times; the first time warms up. */
function timesOfTyping(index: Index, query: string): number[] {
  const times: number[] = []
  for (const round of [0, 1, 2, 3])
    for (let length = 1; length <= query.length; length++) {
      const start = processorMs()
      structuredClone(index.take({ find: { query: query.slice(0, length), limit: 30 } }))
      if (round > 0) times.push(processorMs() - start)
    }
  return times
}

function processorMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function usedBytes() {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
