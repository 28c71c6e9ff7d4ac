import { type AnswerRow, deviceDatabase, write } from './database.ts'
import { format, mayReplace, valueOf } from './formats.ts'

export interface KeptAnswer {
  answer: unknown
  keptAt: number
}

const monthMs = 30 * 24 * 3_600_000
/** An answer is removed when the server has not given it again for so long. Reading the kept answer does not count. */
const keepForMs = 3 * monthMs

export async function readAnswer(
  owner: string,
  queryKey: readonly unknown[],
): Promise<KeptAnswer | undefined> {
  const row = await (await deviceDatabase())?.get('answers', [owner, JSON.stringify(queryKey)])
  const answer = row && valueOf(row)
  return answer === undefined ? undefined : { answer, keptAt: row!.keptAt }
}

export const keepAnswer = (
  owner: string,
  queryKey: readonly unknown[],
  { kind, value, keptAt }: Pick<AnswerRow, 'kind' | 'value' | 'keptAt'>,
): Promise<void> =>
  write(owner, async (database) => {
    const key = JSON.stringify(queryKey)
    const rows = database.transaction('answers', 'readwrite')
    const known = await rows.store.get([owner, key])
    const isWanted = mayReplace(known, keptAt)
    await Promise.all([isWanted && rows.store.put({ owner, key, kind, format, value, keptAt }), rows.done])
  })

export const forgetAnswer = (owner: string, queryKey: readonly unknown[]): Promise<void> =>
  write(owner, (database) => database.delete('answers', [owner, JSON.stringify(queryKey)]))

/** Removes the answers that the server gave more than three months ago. */
export const forgetOldAnswers = (owner: string, now: number): Promise<void> =>
  write(owner, async (database) => {
    const rows = database.transaction('answers', 'readwrite')
    for await (const row of rows.store) if (row.value.keptAt < now - keepForMs) await row.delete()
    await rows.done
  })

/** The addresses of the kept answers that begin with a text. */
export async function keptAddresses(owner: string, beginning: string): Promise<string[]> {
  const first = JSON.stringify([beginning]).slice(0, -2)
  const keys = IDBKeyRange.bound([owner, first], [owner, `${first}\uffff`])
  const found = (await (await deviceDatabase())?.getAllKeys('answers', keys)) ?? []
  return found.map(([, key]) => (JSON.parse(key) as [string])[0])
}
