import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { livePath } from '#contract/live/events.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { addressOf, openStream, until } from '#server/testing/live-reader.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'

/** 20,000 bytes, the most that one passage can be. */
const longLine = '😀'.repeat(5000)

/** A room with somebody who listens and somebody who opened the stream and takes nothing. */
async function startSlowReader() {
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
  const send = (content = longLine) => ana.does(sendPassage, { params: { id }, input: { content } })
  const hearsAll = (last: number) => quick.receives('room.message', ({ position }) => position === last)
  return { ...t, connection, send, hearsAll, quick }
}

test('a reader that takes nothing is cut off before more than 256 KiB wait for it, and the others still receive [R11]', async () => {
  const { connection, send, hearsAll, quick } = await startSlowReader()
  let [sent, mostWaiting] = [0, 0]
  while (!connection.destroyed && sent < 2000) {
    await send()
    await hearsAll(++sent)
    mostWaiting = Math.max(mostWaiting, connection.writableLength)
  }
  expect(connection.destroyed).toBe(true)
  expect(mostWaiting).toBeGreaterThan(0)
  expect(mostWaiting).toBeLessThanOrEqual(256 * 1024)
  expect(quick.all('room.message')).toHaveLength(sent)
})

test('a reader that takes nothing of what waits for it for 10 s is cut off, and the others still receive [R11]', async () => {
  const { connection, send, hearsAll, clock } = await startSlowReader()
  let sent = 0
  while (connection.writableLength === 0 && sent < 2000) {
    await send()
    await hearsAll(++sent)
  }
  expect(connection.destroyed).toBe(false)
  await until(() => {
    clock.advance(1000)
    return connection.destroyed || undefined
  })
  await send('still here')
  await hearsAll(sent + 1)
})
