import { setTimeout as delay } from 'node:timers/promises'
import { getMe, register } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import type { HttpClient } from '../../scripts/testing/http-client.ts'
import { newKey } from '../retry.ts'

const everyMs = 200

/** A person who tries again and again to write and to read, without waiting for the answer of the try before. */
export async function startProbe(person: HttpClient) {
  const input = { email: 'probe@example.org', password: 'secret1', firstName: 'Ben' }
  await person.does(register, { input })
  /** When the changes that were acknowledged were sent, and when their answers came. */
  const acknowledged: { sentAt: number; answeredAt: number }[] = []
  const answers = new Set<string>()
  let number = 0
  let isOver = false
  const trying = new Set<Promise<void>>()

  const write = async () => {
    const sentAt = performance.now()
    const post = { content: `Try ${++number}`, authorName: 'Ben' }
    const answer = await person.tries(submitPost, { input: post, headers: newKey() })
    const { code } = (await answer.json()) as { code?: string }
    answers.add(`write ${answer.status} ${code ?? ''}`.trim())
    if (answer.ok) acknowledged.push({ sentAt, answeredAt: performance.now() })
  }
  const read = async () => {
    const answer = await person.tries(getMe)
    const { code } = (await answer.json()) as { code?: string }
    answers.add(`read ${answer.status} ${code ?? ''}`.trim())
  }
  const attempt = (call: () => Promise<void>) => {
    const one: Promise<void> = call()
      .catch((error: unknown) => void answers.add(String(error)))
      .finally(() => trying.delete(one))
    trying.add(one)
  }
  const work = (async () => {
    while (!isOver) {
      attempt(write)
      attempt(read)
      await delay(everyMs)
    }
  })()

  return {
    /** Each kind of answer that came: status and code. */
    answers,
    /** Waits until it has tried that often again. */
    untilTries: async (more: number) => {
      const goal = number + more
      while (number < goal) await delay(20)
    },
    /** How many changes that were sent after a moment were acknowledged. */
    countSince: (from: number) => acknowledged.filter(({ sentAt }) => sentAt > from).length,
    /** Waits for the first acknowledged change that was sent after `from`. Returns the time from `from` to its answer. */
    untilWrites: async (from: number, withinMs: number) => {
      for (;;) {
        const first = acknowledged.find(({ sentAt }) => sentAt > from)
        if (first !== undefined) return first.answeredAt - from
        if (performance.now() - from > withinMs)
          throw new Error(`No change was acknowledged within ${withinMs} ms.`)
        await delay(20)
      }
    },
    /** The longest time without an acknowledged change since `from`. */
    longestGapSince: (from: number) => {
      const times = acknowledged
        .map(({ answeredAt }) => answeredAt)
        .filter((at) => at > from)
        .toSorted((a, b) => a - b)
      return Math.max(...times.map((at, index) => at - (times[index - 1] ?? from)))
    },
    finish: async () => {
      isOver = true
      await work
      await Promise.all(trying)
    },
  }
}
