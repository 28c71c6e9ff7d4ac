import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { register } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { byText } from './instance.ts'

/**
 * People who hand in one post after the other, all at the same time, and repeat each with the same key until
 * it is acknowledged, as our page does.
 */
export async function startWriters(client: () => HttpClient, count = 4) {
  const acknowledged: [content: string, id: string][] = []
  let isOver = false
  const write = async (writer: HttpClient, name: string) => {
    for (let number = 1; !isOver; number++) {
      const content = `${name} wrote line ${number}.`
      const input = { content, authorName: 'Ana' }
      const { id } = await insist<{ id: string }>((headers) => writer.tries(submitPost, { input, headers }))
      acknowledged.push([content, id])
    }
  }
  const people = await Promise.all(Array.from({ length: count }, (_, number) => newcomer(client(), number)))
  const work = Promise.all([client(), ...people].map((writer, number) => write(writer, `Writer ${number}`)))
  // Who was refused says so in `finish`.
  work.catch(() => {
    isOver = true
  })
  return {
    /** Waits until so many more posts are acknowledged, and a moment longer. */
    untilMore: async (more: number) => {
      const goal = acknowledged.length + more
      while (!isOver && acknowledged.length < goal) await delay(5)
      await delay(Math.random() * 30)
    },
    /** Lets everybody finish the post at hand, and says which posts were acknowledged. */
    finish: async () => {
      isOver = true
      await work
      return acknowledged.toSorted(byText)
    },
  }
}

async function newcomer(client: HttpClient, number: number) {
  const input = { email: `writer${number}@example.org`, password: 'secret1', firstName: 'Ana' }
  await client.does(register, { input })
  return client
}

/** Repeats a call with the same key until it is acknowledged, and answers what that gave. */
export async function insist<Answer>(
  call: (headers: { 'idempotency-key': string }) => Promise<Response>,
): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await attempt(() => call(headers))
    if (answer !== undefined) return answer as Answer
    await delay(20)
  }
}

/** Undefined when it is worth another try. */
async function attempt(call: () => Promise<Response>): Promise<unknown> {
  try {
    const answer = await call()
    if (answer.ok) return await answer.json()
    if (answer.status < 500) throw new Refused(`${answer.status} ${await answer.text()}`)
  } catch (error) {
    // The line was cut: by the server's end, or within its answer.
    if (error instanceof Refused) throw error
  }
  return undefined
}

class Refused extends Error {}
