import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { register } from '#contract/account/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { connectionOf, inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, withDatabase } from './rows.ts'
import { atMost, fact, printTable, quantile } from './table.ts'
import { compareWithBareRows } from './writers.ts'

const writers = 32
const savesEach = 60
/** The pause of the page between two saves while a person types. */
const pauseMs = 500
const entries = 3410
const megabytes = 6

loadFromOtherCore()
await withInstance(async ({ url, client, memory }) => {
  const figures = []
  const people: HttpClient[] = []
  for (let n = 0; n < writers; n++) people.push(await join(client(), n))
  const [ana, ben] = people as [HttpClient, HttpClient]

  const days = Array.from({ length: entries }, (_, n) => addDays('2016-01-01', n))
  const text = textOf(Math.round((megabytes * 1e6) / entries))
  const withPermit = createSemaphore({ atOnce: 8, maxWaiting: entries })
  for (const writer of [ana, ben])
    await Promise.all(
      days.map((date) => withPermit(() => writer.does(saveDiaryEntry, { input: { date, content: text } }))),
    )

  for (const { name, pause } of [
    { name: `each every ${pauseMs} ms`, pause: pauseMs },
    { name: 'without a pause', pause: 0 },
  ]) {
    const took: number[] = []
    const began = performance.now()
    const rounds = pause > 0 ? savesEach / 3 : savesEach
    await Promise.all(
      people.map(async (writer, n) => {
        await wait((pause / writers) * n)
        for (let round = 0; round < rounds; round++) {
          const from = performance.now()
          const content = `${round} ${text}`
          await writer.does(saveDiaryEntry, { input: { date: '2025-06-10', content } })
          took.push(performance.now() - from)
          await wait(pause)
        }
      }),
    )
    const rate = (took.length / (performance.now() - began)) * 1000
    const title = `save, ${writers} writers ${name}`
    figures.push(
      pause > 0
        ? atMost(`${title}: p95`, quantile(took, 0.95), 10, 'ms')
        : fact(`${title}: p95`, `${quantile(took, 0.95).toFixed(1)} ms`),
      fact(`${title}: median and saves/s`, `${quantile(took, 0.5).toFixed(1)} ms, ${rate.toFixed(0)}/s`),
    )
  }

  const read = (encoding?: string, reader = ana) => readWhole(`${url}${getDiary.path}`, reader, encoding)
  await read()
  const one = await read()
  const zipped = await read('gzip')
  const before = memory()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memory())), 10)
  // A person may read four such answers at a time.
  const readers = [ana, ana, ana, ana, ben, ben, ben, ben]
  const eight = await Promise.all(readers.map((reader, n) => read(n % 2 ? 'gzip' : undefined, reader)))
  clearInterval(watch)
  figures.push(
    fact(`${entries} entries: bytes, and with gzip`, `${one.bytes} and ${zipped.bytes}`),
    atMost('read of all: first byte', one.firstMs, 100, 'ms'),
    atMost('read of all with gzip: first byte', zipped.firstMs, 100, 'ms'),
    fact('read of all: whole', `${one.wholeMs.toFixed(0)} ms, with gzip ${zipped.wholeMs.toFixed(0)} ms`),
    fact(
      '8 reads at once: last first byte',
      `${Math.max(...eight.map(({ firstMs }) => firstMs)).toFixed(0)} ms`,
    ),
    atMost('8 reads at once: growth of memory', (most - before) / 2 ** 20, 60, 'MB', 0),
    fact('memory of the server', inMegabytes(most)),
  )
  printTable('Diary', figures)
})

await withInstance(async ({ url, dataDir }) => {
  const authors = await withDatabase(dataDir, (db) => addPeople(db, writers))
  const content = textOf(Math.round((megabytes * 1e6) / entries))
  const figures = await compareWithBareRows({
    url,
    writers: authors.map(({ cookie }) => ({
      path: saveDiaryEntry.path,
      cookie,
      body: JSON.stringify({ date: '2025-06-10', content }),
    })),
    bare: {
      connection: await connectionOf(dataDir),
      // The table has no position and no id: the position ($2) becomes the day, and the id ($3) the key.
      insert: `insert into diary_entries (user_id, entry_date, key_id, content, size, updated_at)
        values ($1, date '2025-06-10' + $2::bigint::int % 7, $3, convert_to($4, 'UTF8'), octet_length($4), app_now())
        on conflict (user_id, entry_date) do update set content = excluded.content, updated_at = excluded.updated_at`,
      writers: authors.map(({ id }) => [id]),
      content,
    },
    ratio: 0.45,
    unit: 'saves',
  })
  printTable(
    `${writers} people save a day of their diaries at once, each save on disk before its answer`,
    figures,
  )
})

async function join(person: HttpClient, n: number) {
  const input = {
    email: `w${n}@example.org`,
    password: 'a long passphrase',
    firstName: 'W',
    lastName: `${n}`,
  }
  await person.does(register, { input })
  return person
}

/** A text that gzip cannot compress much. */
function textOf(length: number) {
  let text = ''
  for (let n = 7; text.length < length; n = (n * 48_271) % 2_147_483_647) text += `${n.toString(36)} `
  return text.slice(0, length)
}

async function readWhole(address: string, reader: HttpClient, encoding?: string) {
  const from = performance.now()
  const headers = { cookie: reader.cookie, ...(encoding && { 'accept-encoding': encoding }) }
  const [response] = (await once(get(address, { headers, agent: false }), 'response')) as [IncomingMessage]
  let firstMs = 0
  let bytes = 0
  for await (const chunk of response) {
    firstMs ||= performance.now() - from
    bytes += (chunk as Buffer).length
  }
  if (response.statusCode !== 200) throw new Error(`The diary answered ${response.statusCode}.`)
  return { firstMs, wholeMs: performance.now() - from, bytes }
}
