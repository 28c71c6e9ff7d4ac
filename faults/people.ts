import { register } from '#contract/account/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { openCaller } from '#server/testing/raw-callers.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'

export async function aPerson(client: HttpClient, email = 'ana@example.org') {
  await client.does(register, { input: { email, password: 'secret pass 1', firstName: 'Ana' } })
  return client
}

export const dayAfter = (days: number) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10)

const savesAtOnce = 10

/** Saves a text of 100,000 letters for each of the first days. */
export async function fillDiary(client: HttpClient, days: number): Promise<void> {
  let day = 0
  const save = async () => {
    while (day < days)
      await client.does(saveDiaryEntry, { input: { date: dayAfter(day++), content: 'x'.repeat(100_000) } })
  }
  await Promise.all(Array.from({ length: savesAtOnce }, save))
}

/** Opens connections that send a text each and collect the answers. */
export const openAll = (
  url: string,
  count: number,
  textOf: (n: number) => string,
  options?: { reads: boolean },
) => Promise.all(Array.from({ length: count }, (_, n) => openCaller(url, textOf(n), options)))
