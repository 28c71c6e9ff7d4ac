import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { login, register } from '#contract/account/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { environment } from '../scripts/testing/running-server.ts'
import { connectionOf, withInstance } from './instance.ts'
import { atMost, fact, printTable } from './table.ts'

// The export of nine years of a diary, by the command and by the page, and what 200 MB of texts more cost in memory.

const diaryFile = process.env['BENCH_DIARY'] ?? join(import.meta.dirname, '../../shared/data/pepys.jsonl')
const person = { email: 'ana@example.org', password: 'a long passcode' }
const bigPosts = 1000
/** Characters of four bytes. */
const lengthOfPost = 50_000

// These run in the page, for whose globals this project has no types.
const watchBlocks = `
  delete globalThis.showSaveFilePicker
  globalThis.blocks = []
  new PerformanceObserver((list) => blocks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })`

if (existsSync(diaryFile)) await measure()
else console.log('Skipped: the diary of Samuel Pepys is not on this machine.')

async function measure() {
  await withInstance(async ({ url, dataDir, client }) => {
    const ana = client()
    const { id } = await ana.does(register, { input: { ...person, firstName: 'Ana', lastName: 'Lima' } })
    const days = readFileSync(diaryFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { date: string; content: string })
    const count = days.length
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let day = days.pop(); day !== undefined; day = days.pop()) {
          const { date, content } = day
          await ana.does(saveDiaryEntry, { input: { date, content } })
        }
      }),
    )
    const command = await exportByCommand(dataDir, join(dataDir, 'years.zip'))
    const page = await exportByPage(url)
    await addPosts(dataDir, id)
    const bigCommand = await exportByCommand(dataDir, join(dataDir, 'big.zip'))
    const bigPage = await exportByPage(url)
    const megabytes = (bytes: number) => bytes / 2 ** 20
    const more = `${Math.round((bigPosts * lengthOfPost * 4) / 1e6)} MB more`
    printTable(`Export of a diary of ${count} days`, [
      atMost('command: whole', command.ms / 1000, 10, 's'),
      fact('command: its ZIP', `${megabytes(command.bytes).toFixed(1)} MiB`),
      fact('command: peak of memory', `${megabytes(command.peak).toFixed(0)} MiB`),
      atMost('page: whole', page.ms / 1000, 10, 's'),
      fact('page: peak of the heap', `${megabytes(page.peak).toFixed(0)} MiB`),
      atMost('page: longest block', page.longestMs, 50, 'ms', 0),
      fact(`command, ${more}: whole`, `${(bigCommand.ms / 1000).toFixed(1)} s`),
      atMost(
        `command, ${more}: growth of the peak`,
        megabytes(bigCommand.peak - command.peak),
        100,
        'MiB',
        0,
      ),
      fact(`page, ${more}: whole`, `${(bigPage.ms / 1000).toFixed(1)} s`),
      atMost(`page, ${more}: growth of the heap`, megabytes(bigPage.peak - page.peak), 100, 'MiB', 0),
      fact(`page, ${more}: longest block`, `${bigPage.longestMs.toFixed(0)} ms`),
    ])
  })
}

async function exportByCommand(dataDir: string, file: string) {
  const start = performance.now()
  const child = spawn('node', ['server/zimmer.ts', 'export', person.email, file], {
    cwd: join(import.meta.dirname, '..'),
    env: environment(dataDir, { NODE_ENV: 'production' }),
    stdio: 'inherit',
  })
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, peakOf(child.pid!))), 10)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(watch)
  if (code !== 0) throw new Error(`The command ended with ${code}.`)
  return { ms: performance.now() - start, peak, bytes: (await stat(file)).size }
}

/** The largest resident memory of a process so far, in bytes; 0 after its end. */
function peakOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

async function exportByPage(url: string) {
  const browser = await launchChromium()
  try {
    const page = await (await browser.newContext({ acceptDownloads: true })).newPage()
    await page.request.post(url + login.path, { data: person })
    await page.addInitScript({ content: watchBlocks })
    await page.goto(`${url}/settings`)
    const button = page.getByRole('button', { name: 'Export everything' })
    await button.waitFor()
    await page.evaluate('blocks.length = 0')
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    let peak = 0
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        const { metrics } = await session.send('Performance.getMetrics')
        peak = Math.max(peak, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0)
      }
    })()
    const start = performance.now()
    await button.click()
    await page.getByText(/^Exported\./).waitFor({ timeout: 300_000 })
    const ms = performance.now() - start
    isOver = true
    await watching
    return { ms, peak, longestMs: await page.evaluate<number>('Math.max(0, ...blocks)') }
  } finally {
    await browser.close()
  }
}

async function addPosts(dataDir: string, authorId: string) {
  const client = new Client(await connectionOf(dataDir))
  await client.connect()
  await client.query(
    `insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
     select overlay(gen_random_uuid()::text placing '7' from 15)::uuid, repeat('🌒', $2), 'Ana Lima', $1, 'premium',
       now() - n * interval '1 minute', now() - n * interval '1 minute', current_date, n::text
     from generate_series(1, $3) as n`,
    [authorId, lengthOfPost, bigPosts],
  )
  await client.end()
}
