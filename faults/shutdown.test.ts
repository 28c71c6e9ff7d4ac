import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { rounds, startInstance } from './instance.ts'

const unfinishedPost =
  'POST /api/pending-posts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'

test('SIGTERM ends a server with unfinished bodies, half headers, silent callers and slow readers within 10 s, with its database and its lock [R17]', async () => {
  const instance = await startInstance()
  const ana = instance.client()
  const input = { email: 'ana@example.org', password: 'secret pass 1', firstName: 'Ana' }
  await ana.does(register, { input })
  for (let day = 10; day < 90; day++)
    await ana.does(saveDiaryEntry, {
      input: {
        date: new Date(Date.UTC(2024, 0, day)).toISOString().slice(0, 10),
        content: 'x'.repeat(100_000),
      },
    })
  const readDiary = `GET /api/diary HTTP/1.1\r\nhost: localhost\r\ncookie: ${ana.cookie}\r\n\r\n`
  for (let round = 0; round < rounds; round++) {
    const { hostname, port } = new URL(instance.server.url)
    const open = async (text: string) => {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      const caller = { socket, said: '' }
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(text)
      return caller
    }
    const unfinished = await open(unfinishedPost)
    unfinished.socket.on('data', (chunk: Buffer) => (unfinished.said += chunk.toString()))
    for (const text of ['', 'GET /api/fe', unfinishedPost, unfinishedPost]) await open(text)
    const reader = await open(readDiary)
    await once(reader.socket, 'readable')
    const ending = await instance.server.end('SIGTERM')
    expect(ending).toMatchObject({ code: 0, signal: null })
    expect(ending.tookMs).toBeLessThan(8000)
    expect([await instance.postmaster(), await instance.isOwned()]).toEqual([undefined, false])
    expect(unfinished.said).toMatch(/^HTTP\/1\.1 503 [^]*"code":"Unavailable"/)
    await instance.startAgain()
  }
  expect(await ana.does(getDiary)).toHaveLength(80)
})
