import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { redisIsMissing, startRedis } from '#server/testing/messengers.ts'
import type { Settings } from '../scripts/testing/running-server.ts'
import { rounds, startUsedDatabase, startInstance } from './instance.ts'
import { startStory } from './room-story.ts'

/** With 20 rounds each writer writes 500 passages. */
const passagesEach = 25 * rounds
const writers = 10
const restarts = Math.min(3, Math.ceil(rounds / 2))

const messengers = [
  { name: 'one server', count: 1, start: async () => ({}) },
  {
    name: 'two that notify each other through their database',
    count: 2,
    start: async () => ({ DATABASE_URL: (await startUsedDatabase()).url }),
  },
  {
    name: 'two that notify each other through Redis',
    count: 2,
    start: async (context: TestContext) => {
      if (redisIsMissing) context.skip('redis-server is not installed')
      return { DATABASE_URL: (await startUsedDatabase()).url, REDIS_URL: (await startRedis()).url }
    },
  },
]

test.for(messengers)(
  'servers killed while ten people write lose and duplicate no passage, and readers whose stream breaks receive each passage once, in one order: $name [R1 R2 R7 R9]',
  async ({ count, start }, context) => {
    const servers = await startServers(count, await start(context))
    const of = (number: number) => servers[number % count]!
    const story = await startStory({
      writers: Array.from({ length: writers }, (_, number) => of(number).client()),
      passagesEach,
      readAt: Array.from({ length: 5 }, (_, number) => () => of(number).server.url),
      comeBackMs: 50,
    })
    const cutting = cutNowAndThen(story)
    for (let restart = 0; restart < restarts; restart++) {
      await story.untilMore((writers * passagesEach) / (restarts + 1))
      await of(restart).server.end('SIGKILL')
      await of(restart).startAgain()
    }
    expect(await cutting).toBeGreaterThan(5)
    const { positions, inOrder, stored, acknowledged, received, story: whole } = await story.finish()
    expect(positions).toEqual(inOrder)
    expect(stored).toEqual(acknowledged)
    expect(received).toEqual(received.map(() => whole))
  },
)

const startServers = (count: number, settings: Settings) =>
  Promise.all(Array.from({ length: count }, () => startInstance(settings)))

/** Cuts the stream of a random reader again and again until all passages are written. */
async function cutNowAndThen(story: Awaited<ReturnType<typeof startStory>>) {
  for (let cuts = 0; ; cuts++) {
    if (story.isOver) return cuts
    story.readers[Math.floor(Math.random() * story.readers.length)]!.cut()
    await delay(20 + Math.random() * 100)
  }
}
