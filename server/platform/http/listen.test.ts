import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#server/testing/stream-client.ts'
import { startPlatform } from '#server/testing/test-platform.ts'
import { checkHost, listenOnMany } from './listen.ts'

const onFreePort = { host: '127.0.0.1', port: 0, backlog: 4096 }
const portOf = (url: string) => Number(new URL(url).port)

test.runIf(process.platform === 'linux')(
  'of 400 new callers a busy server accepts many in each turn of its event loop, so that they do not wait behind open connections [R14]',
  async () => {
    const { app } = await startPlatform()
    const port = portOf(await listenOnMany(app, onFreePort))
    let [accepted, turns] = [0, 0]
    app.server.on('connection', () => accepted++)
    const callers: Socket[] = []
    onTestFinished(() => {
      for (const caller of callers) caller.destroy()
    })
    for (let n = 0; n < 400; n++) callers.push(connect(port, '127.0.0.1').on('error', () => {}))
    while (accepted < 400) {
      await new Promise(setImmediate)
      if (accepted > 0) turns++
    }
    expect(turns).toBeLessThan(200)
  },
)

test('callers of every listening socket are answered, and a closing server ends their connections [R14 R17]', async () => {
  const { app } = await startPlatform()
  const url = await listenOnMany(app, onFreePort)
  const callers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connect(portOf(url), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
      return socket
    }),
  )
  await app.close()
  for (const socket of callers) await until(() => socket.closed || undefined)
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed')
})

test('a second server on the same port does not start [R4]', async () => {
  const [first, second] = [await startPlatform(), await startPlatform()]
  const port = portOf(await listenOnMany(first.app, onFreePort))
  await expect(listenOnMany(second.app, { ...onFreePort, port })).rejects.toThrow(
    `Another program listens on port ${port} of 127.0.0.1.`,
  )
  expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
})

test.each([
  ['198.51.100.1', 'HOST is 198.51.100.1, which is not an address of this machine.'],
  // Without a network the name cannot be looked up at all.
  ['no-such-host.invalid', 'Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.'],
])('a server whose HOST is %s names the setting and does not start [R16]', async (host, sentence) => {
  const { app } = await startPlatform()
  await expect(listenOnMany(app, { ...onFreePort, host })).rejects.toThrow(sentence)
  // The start checks the host before it starts anything else.
  await expect(checkHost(host)).rejects.toThrow(sentence)
})
