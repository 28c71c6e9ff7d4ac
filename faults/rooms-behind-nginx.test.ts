import { expect, onTestFinished, test } from 'vitest'
import { redisIsMissing, startRedis } from '#server/testing/messengers.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startNginx } from '../scripts/testing/nginx.ts'
import { freePort } from '../scripts/testing/ports.ts'
import { isInstalled } from '../scripts/testing/programs.ts'
import { rounds, startUsedDatabase, startInstance } from './instance.ts'
import { startStory, until } from './room-story.ts'

const backWithinMs = 5000

test('behind nginx people on two servers write one story, and readers whose server is killed reconnect within 5 s without a loss or a duplicate [R2 R7 R9]', async (context) => {
  if (redisIsMissing || !isInstalled('nginx')) context.skip('redis-server or nginx is not installed')
  const { url, servers } = await startBehindNginx()
  const people = 6
  const story = await startStory({
    writers: Array.from({ length: people }, () => new HttpClient(() => url)),
    pauseMs: 50,
    readAt: Array.from({ length: people }, () => () => url),
  })
  const readersOf = ({ place }: { place: string }) =>
    story.readers.filter(({ servedBy }) => servedBy === place)

  /** After the proxy has noticed a restarted server, new streams go to the server with fewer streams. */
  const spread = async () => {
    await until(() => story.readers.every(({ isOpen }) => isOpen))
    while (servers.some((server) => readersOf(server).length === 0)) {
      const half = story.readers.slice(people / 2)
      for (const reader of half) reader.cut()
      await until(() => half.every(({ isOpen }) => !isOpen))
      await until(() => half.every(({ isOpen }) => isOpen))
    }
  }

  for (let round = 0; round < rounds; round++) {
    await spread()
    await story.untilMore(50)
    const [killed, other] = [servers[round % 2]!, servers[(round + 1) % 2]!]
    const lost = readersOf(killed)
    expect(lost).not.toEqual([])
    await killed.instance.server.end('SIGKILL')
    await until(() => readersOf(killed).length === 0)
    await until(() => readersOf(other).length === people, backWithinMs)
    expect(story.readers.map(({ servedBy }) => servedBy)).toEqual(Array(people).fill(other.place))
    await story.untilMore(50)
    await killed.instance.startAgain()
  }
  story.enough()
  const { positions, inOrder, stored, acknowledged, received, story: whole } = await story.finish()
  expect(positions).toEqual(inOrder)
  expect(stored).toEqual(acknowledged)
  expect(received).toEqual(received.map(() => whole))
})

async function startBehindNginx() {
  const settings = {
    DATABASE_URL: (await startUsedDatabase()).url,
    REDIS_URL: (await startRedis()).url,
    TRUST_PROXY: '127.0.0.1',
  }
  const ports = [await freePort(), await freePort()]
  const servers: { place: string; instance: Awaited<ReturnType<typeof startInstance>> }[] = []
  for (const port of ports) {
    const instance = await startInstance({ ...settings, PORT: String(port) })
    servers.push({ place: `127.0.0.1:${port}`, instance })
  }
  const { url, stop } = await startNginx(ports)
  onTestFinished(stop)
  return { url, servers }
}
