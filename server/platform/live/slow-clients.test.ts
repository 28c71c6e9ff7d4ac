import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { livePath } from '#contract/live/events.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { addressOf, openStream, until } from '#server/testing/stream-client.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'

/** 20,000 bytes, the longest passage. */
const longPassage = '😀'.repeat(5000)

/** A room with a stream whose client receives everything, and one whose client receives nothing. */
async function startSlowClient() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person()
  const { id } = await ana.does(createRoom, { input: aRoom() })
  const address = new URL(await addressOf(t.app))
  const served = once(t.app.server, 'connection')
  const socket = connect(Number(address.port), address.hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(`GET ${livePath}?rooms=${id} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  const [connection] = (await served) as [Socket]
  await once(socket, 'data')
  socket.pause()
  const quick = await openStream(t.app, ana, { rooms: [id] })
  const send = (content = longPassage) => ana.does(sendPassage, { params: { id }, input: { content } })
  const quickReceives = (last: number) => quick.receives('room.message', ({ position }) => position === last)
  return { ...t, connection, send, quickReceives, quick }
}

test('a client that receives nothing is disconnected before more than 256 KiB are unsent, and other clients receive everything [R11]', async () => {
  const { connection, send, quickReceives, quick } = await startSlowClient()
  let [sent, mostUnsent] = [0, 0]
  while (!connection.destroyed && sent < 2000) {
    await send()
    await quickReceives(++sent)
    mostUnsent = Math.max(mostUnsent, connection.writableLength)
  }
  expect(connection.destroyed).toBe(true)
  expect(mostUnsent).toBeGreaterThan(0)
  expect(mostUnsent).toBeLessThanOrEqual(256 * 1024)
  expect(quick.all('room.message')).toHaveLength(sent)
})

test('a client that receives none of its unsent bytes for 10 s is disconnected, and other clients receive everything [R11]', async () => {
  const { connection, send, quickReceives, clock } = await startSlowClient()
  let sent = 0
  while (connection.writableLength === 0 && sent < 2000) {
    await send()
    await quickReceives(++sent)
  }
  expect(connection.destroyed).toBe(false)
  await until(() => {
    clock.advance(1000)
    return connection.destroyed || undefined
  })
  await send('still here')
  await quickReceives(sent + 1)
})
