import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { answersOf } from '#web/lib/answers-of.ts'
import { keepAnswer, type KeptAnswer, readAnswer } from './answers.ts'
import { type Day, DayKeeper, readDay, readDays } from './days.ts'

/** A list of days whose query key is the address and the owner, and the query of one day. */
interface DayQueries {
  /** Names the rows in the store. Never change it. */
  kind: string
  list: Endpoint
  one?: Endpoint
  /** The name of the field with the day. */
  field: string
}

/** Answers that are kept as they are, or as `shape` returns them. An answer for which it returns undefined is not kept. */
interface AnswerQueries {
  /** Names the part of the list in the settings. */
  kind: string
  endpoints: readonly Endpoint[]
  // A feature knows the type of its answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  shape?: (answer: any, queryKey: QueryKey, client: QueryClient) => unknown
}

/** What the features of the page keep on this device. The first entry that fits a query counts. */
export interface KeptQueries {
  days: readonly DayQueries[]
  answers: readonly AnswerQueries[]
}

/** An answer in the cache that is to be kept. */
interface NewAnswer {
  queryKey: QueryKey
  answer: unknown
  answeredAt: number
  /** When the server was asked for it; undefined when the answer is one that this device has kept. */
  askedAt: number | undefined
}

/** Writes the answers of one person into the database, and reads them. `keeps` says for which queries. */
export class AnswerStore {
  readonly #owner: string
  readonly #queries: KeptQueries
  readonly #dayKeepers: ReadonlyMap<string, DayKeeper>

  constructor(owner: string, queries: KeptQueries) {
    this.#owner = owner
    this.#queries = queries
    this.#dayKeepers = new Map(queries.days.map(({ kind }) => [kind, new DayKeeper(owner, kind)]))
  }

  keeps = (queryKey: QueryKey): boolean =>
    this.#listOf(queryKey) !== undefined ||
    this.#dayOf(queryKey) !== undefined ||
    this.#answerOf(queryKey) !== undefined

  async keep({ queryKey, answer, answeredAt, askedAt }: NewAnswer, client: QueryClient): Promise<void> {
    const list = this.#listOf(queryKey)
    if (list) {
      const days = (answer as StoredDay[]).flatMap((day) => dayOf(list, day))
      const keeper = this.#dayKeepers.get(list.kind)!
      await keeper.keep(days, answeredAt)
      if (askedAt === undefined) return
      await keeper.forgetAllBut(days, askedAt)
      // Says that the store has all days.
      return keepAnswer(this.#owner, queryKey, { kind: list.kind, value: true, keptAt: answeredAt })
    }
    const one = this.#dayOf(queryKey)
    if (one) return this.#dayKeepers.get(one.kind)!.keep(dayOf(one, answer as StoredDay), answeredAt)
    const rule = this.#answerOf(queryKey)!
    const value = rule.shape ? rule.shape(answer, queryKey, client) : answer
    if (value !== undefined)
      await keepAnswer(this.#owner, queryKey, { kind: rule.kind, value, keptAt: answeredAt })
  }

  /** `keptAt` is 0 where the time is not known: the query then counts as old as can be. */
  async read(queryKey: QueryKey): Promise<KeptAnswer | undefined> {
    const list = this.#listOf(queryKey)
    const one = this.#dayOf(queryKey)
    if (list) {
      const [whole, days] = [await readAnswer(this.#owner, queryKey), await readDays(this.#owner, list.kind)]
      return whole || days.length > 0 ? { answer: days, keptAt: whole?.keptAt ?? 0 } : undefined
    }
    if (one) {
      const day = String(queryKey[0]).split('/').at(-1)!
      const kept = await readDay(this.#owner, one.kind, day)
      if (kept !== undefined) return { answer: kept, keptAt: 0 }
      const whole = await readAnswer(this.#owner, [one.list.path, this.#owner])
      const nothing = { [one.field]: day, content: '', updated_at: null }
      return whole && { answer: nothing, keptAt: 0 }
    }
    return this.#answerOf(queryKey) && readAnswer(this.#owner, queryKey)
  }

  #listOf = (queryKey: QueryKey) =>
    this.#queries.days.find(({ list }) => queryKey[0] === list.path && queryKey[1] === this.#owner)

  #dayOf = (queryKey: QueryKey) =>
    this.#queries.days.find(
      ({ one }) => one && queryKey.length === 1 && answersOf([one]).predicate({ queryKey }),
    )

  #answerOf = (queryKey: QueryKey) =>
    this.#queries.answers.find(({ endpoints }) => answersOf(endpoints).predicate({ queryKey }))
}

type StoredDay = Record<string, string> & { updated_at: string | null }

/** A day without an entry is not kept. */
const dayOf = ({ field }: DayQueries, value: StoredDay): Day[] =>
  value.updated_at === null ? [] : [{ day: value[field]!, version: value.updated_at, value }]
