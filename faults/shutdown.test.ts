import { once } from 'node:events'
import { expect, test } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { openCaller, openServedCaller, unfinishedPost } from '#server/testing/raw-callers.ts'
import { rounds, startInstance, storedPosts } from './instance.ts'
import { aPerson, fillDiary } from './people.ts'

test('SIGTERM ends a server with unfinished bodies, half headers, silent clients and slow readers within 10 s, and ends its database and releases its lock [R17]', async () => {
  const instance = await startInstance()
  const ana = await aPerson(instance.client())
  await fillDiary(ana, 80)
  const readDiary = `GET /api/diary HTTP/1.1\r\nhost: localhost\r\ncookie: ${ana.cookie}\r\n\r\n`
  for (let round = 0; round < rounds; round++) {
    const open = (text: string) => openCaller(instance.server.url, text, { reads: false })
    const unfinished = await openCaller(instance.server.url, unfinishedPost)
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

test('SIGTERM under 200 live streams and 50 writers ends the server within 10 s: each write is acknowledged and stored, or refused, and each stream is closed [R2 R17]', async () => {
  const instance = await startInstance()
  const people = await Promise.all(
    Array.from({ length: 5 }, async (_, number) => {
      const client = instance.client()
      const input = { email: `ana${number}@example.org`, password: 'secret pass 1', firstName: 'Ana' }
      await client.does(register, { input })
      return client
    }),
  )
  const about = { name: 'Together', description: 'A story', isPublic: true, invitedFriends: [] }
  const room = await people[0]!.does(createRoom, { input: { ...about, duration: 120 } })
  const openStream = `GET ${livePath}?rooms=${room.id} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  for (let round = 0; round < rounds; round++) {
    const streams = await Promise.all(
      Array.from({ length: 200 }, () => openServedCaller(instance.server.url, openStream, 'event: ready')),
    )
    const closed = Promise.all(
      streams.map(async ({ socket }) => {
        if (!socket.closed) await once(socket, 'close')
      }),
    )
    const acknowledged: [content: string, id: string][] = []
    const outcomes: unknown[] = []
    let isEnding = false
    const write = async (writer: number) => {
      for (let number = 1; ; number++) {
        const content = `Round ${round}, writer ${writer}, post ${number}`
        const input = { content, authorName: 'Ana' }
        const answer = await people[writer % people.length]!.tries(submitPost, { input }).catch(
          () => undefined,
        )
        if (answer?.status === 503 && !isEnding) continue
        if (answer?.status !== 201) return void outcomes.push(answer?.status ?? 'closed')
        acknowledged.push([content, ((await answer.json()) as { id: string }).id])
      }
    }
    const writing = Promise.all(Array.from({ length: 50 }, (_, writer) => write(writer)))
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(200)
    isEnding = true
    const ending = await instance.server.end('SIGTERM')
    expect(ending).toMatchObject({ code: 0, signal: null })
    expect(ending.tookMs).toBeLessThan(10_000)
    await Promise.all([writing, closed])
    expect([...new Set(outcomes)].filter((outcome) => outcome !== 503 && outcome !== 'closed')).toEqual([])
    expect([await instance.postmaster(), await instance.isOwned()]).toEqual([undefined, false])
    await instance.startAgain()
    const stored = new Map(await storedPosts(instance.client()))
    for (const [content, postId] of acknowledged) expect(stored.get(content)).toBe(postId)
  }
})
