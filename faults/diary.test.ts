import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { rounds, startInstance } from './instance.ts'
import { untilAcknowledged } from './retry.ts'

const savesAtOnce = 50
const days = Array.from({ length: 5 }, (_, number) => `2025-06-1${number}`)

test('a server killed during diary saves loses no acknowledged text, and stores no text that nobody sent [R1 R2]', async () => {
  const instance = await startInstance()
  const ana = instance.client()
  await ana.does(register, { input: { email: 'ana@example.org', password: 'secret1', firstName: 'Ana' } })
  const writers = days.map((day) => startWriter(ana, day))
  for (let round = 0; round < rounds; round++) {
    await untilMore(writers, 20)
    await instance.server.end('SIGKILL')
    const acknowledged = writers.map((writer) => writer.acknowledged())
    await instance.startAgain()
    const stored = new Map((await readDiary(ana)).map((entry) => [entry.entry_date, entry.content]))
    for (const [i, writer] of writers.entries()) {
      const content = stored.get(writer.day)
      const number = Number(content?.split(' ').at(-1))
      expect(content).toBe(writer.textOf(number))
      expect(number).toBeGreaterThanOrEqual(acknowledged[i]!)
      expect(number).toBeLessThanOrEqual(writer.acknowledged() + 1)
    }
  }
  await untilMore(writers, 5)
  await Promise.all(writers.map((writer) => writer.finish()))
  expect((await readDiary(ana)).map((entry) => [entry.entry_date, entry.content])).toEqual(
    writers.map((writer) => [writer.day, writer.textOf(writer.acknowledged())]),
  )
})

test('two devices that save one day many times at once leave one row, and with a base neither overwrites a text unseen [R5 R6]', async () => {
  const instance = await startInstance()
  const phone = instance.client()
  await phone.does(register, { input: { email: 'ana@example.org', password: 'secret1', firstName: 'Ana' } })
  const devices = [phone, instance.client(phone)]
  const day = days[0]!
  const saveAll = (round: number, base?: string | null) =>
    Promise.all(
      Array.from({ length: savesAtOnce }, async (_, number) => {
        const content = `Round ${round}, text ${number}, ${base === undefined ? 'over' : 'upon'} what is there.`
        const input = { date: day, content, ...(base !== undefined && { base }) }
        const answer = await devices[number % devices.length]!.tries(saveDiaryEntry, { input })
        return { status: answer.status, content, body: (await answer.json()) as Answer }
      }),
    )

  let base: string | null = null
  // The first round saves a new day, each further one a day that has a text.
  for (let round = 0; round < Math.max(2, rounds); round++) {
    const based = await saveAll(round, base)
    const [first, ...others] = based.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    for (const { body } of based.filter(({ status }) => status !== 200)) {
      expect(body).toMatchObject({ code: 'DiaryConflict', current: first!.body })
    }
    expect(await readDiary(phone)).toEqual([first!.body])

    const unseen = await saveAll(round)
    expect(new Set(unseen.map(({ status }) => status))).toEqual(new Set([200]))
    const last = unseen
      .map(({ body }) => body)
      .toSorted(byInstant)
      .at(-1)!
    expect(new Set(unseen.map(({ body }) => body.updated_at)).size).toBe(savesAtOnce)
    expect(await readDiary(phone)).toEqual([last])
    base = last.updated_at
  }
  expect((await phone.does(getDiaryEntry, { params: { day } })).updated_at).toBe(base)
})

type Answer = DiaryEntry & { code?: string; current?: DiaryEntry }

const byInstant = (one: DiaryEntry, other: DiaryEntry) => (one.updated_at! < other.updated_at! ? -1 : 1)
const readDiary = (client: HttpClient) => client.does(getDiary)

/** Saves one text after the other for a day. */
function startWriter(client: HttpClient, day: string) {
  let acknowledged = 0
  let isOver = false
  const textOf = (number: number) => `On ${day} I wrote text ${number}`
  const work = (async () => {
    for (let number = 1; !isOver; number++) {
      const content = textOf(number)
      const saved = await untilAcknowledged<DiaryEntry>(() =>
        client.tries(saveDiaryEntry, { input: { date: day, content } }),
      )
      expect(saved.content).toBe(content)
      acknowledged = number
    }
  })()
  // A refusal is thrown by `finish`.
  work.catch(() => {
    isOver = true
  })
  return {
    day,
    textOf,
    isOver: () => isOver,
    acknowledged: () => acknowledged,
    finish: () => {
      isOver = true
      return work
    },
  }
}

/** Waits until that many more texts are acknowledged, and then a random moment. */
async function untilMore(writers: ReturnType<typeof startWriter>[], more: number) {
  const count = () => writers.reduce((sum, writer) => sum + writer.acknowledged(), 0)
  const goal = count() + more
  while (count() < goal && !writers.some((writer) => writer.isOver())) await delay(5)
  await delay(Math.random() * 30)
}
