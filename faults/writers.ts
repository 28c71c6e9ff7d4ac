import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { byText, rounds, storedPosts } from './instance.ts'
import { untilAcknowledged } from './retry.ts'

/** Starts people who submit one post after the other, all at the same time. */
export async function startWriters(client: () => HttpClient, count = 4) {
  const acknowledged: [content: string, id: string][] = []
  let isOver = false
  const write = async (writer: HttpClient, name: string) => {
    for (let number = 1; !isOver; number++) {
      const content = `${name} wrote line ${number}.`
      const input = { content, authorName: 'Ana' }
      const { id } = await untilAcknowledged<{ id: string }>((headers) =>
        writer.tries(submitPost, { input, headers }),
      )
      acknowledged.push([content, id])
    }
  }
  const people = await Promise.all(Array.from({ length: count }, (_, number) => newcomer(client(), number)))
  const work = Promise.all([client(), ...people].map((writer, number) => write(writer, `Writer ${number}`)))
  // A refusal is thrown by `finish`.
  work.catch(() => {
    isOver = true
  })
  return {
    /** Waits until that many more posts are acknowledged, and then a random moment. */
    untilMore: async (more: number) => {
      const goal = acknowledged.length + more
      while (!isOver && acknowledged.length < goal) await delay(5)
      await delay(Math.random() * 30)
    },
    /** Lets everybody finish the present post, and returns the acknowledged posts. */
    finish: async () => {
      isOver = true
      await work
      return acknowledged.toSorted(byText)
    },
  }
}

/**
 * Causes the fault in each round while people write. Afterwards every acknowledged post must be stored exactly once;
 * `beforeReading` runs once the writers have finished.
 */
export async function loseNothing(
  client: () => HttpClient,
  fault: (round: number) => Promise<void>,
  beforeReading: () => Promise<void> = async () => {},
) {
  const writers = await startWriters(client)
  for (let round = 0; round < rounds; round++) {
    await writers.untilMore(40)
    await fault(round)
  }
  await writers.untilMore(10)
  const acknowledged = await writers.finish()
  await beforeReading()
  expect(await storedPosts(client())).toEqual(acknowledged)
}

async function newcomer(client: HttpClient, number: number) {
  const input = { email: `writer${number}@example.org`, password: 'secret1', firstName: 'Ana' }
  await client.does(register, { input })
  return client
}
