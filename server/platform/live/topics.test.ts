import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import type { Viewer } from '../http/endpoints/policy.ts'
import { Stream } from './stream.ts'
import type { TopicSource } from './topic-source.ts'
import { Topics } from './topics.ts'

/** Topics of two kinds whose events are stored in an array: boards, which everybody may read, and inboxes of one person each. */
async function startWithTwoKinds() {
  const events = new Map<string, string[]>()
  const permitted = new Set<string>()
  /** Each permission query takes the first of these and waits for it, after it has read the permissions. */
  const permissionDelays: Promise<void>[] = []
  const listOf = (id: string) => events.get(id) ?? []
  const sourceOf = (name: string, isPublic: boolean): TopicSource => ({
    kind: { name, max: 5 },
    Id: z.string(),
    listReadable: async (viewer, ids) =>
      ids
        .filter((id) => events.has(id) && (isPublic || (viewer.kind !== 'visitor' && viewer.id === id)))
        .map((id) => ({ id, isPublic, lastEvent: listOf(id).length })),
    listExisting: async (ids) => ids.filter((id) => events.has(id)),
    listStates: async (ids) => ids.map((id) => ({ id, lastEvent: listOf(id).length, isEnded: false })),
    findEventsAfter: async (id, after) => ({
      lastEvent: listOf(id).length,
      isEnded: false,
      events: listOf(id)
        .map((text, i) => ({ number: i + 1, body: `event: ${name}\ndata: "${text}"\n\n` }))
        .slice(after),
    }),
    listPermissions: async (ids, hashes) => {
      const found = hashes.filter((tokenHash) => permitted.has(tokenHash))
      await permissionDelays.shift()
      return found.flatMap((tokenHash) => ids.map((id) => ({ id, tokenHash })))
    },
    cursorName: (id) => id,
    deletedBody: (id) => `event: ${name}.deleted\ndata: "${id}"\n\n`,
  })
  const polls: (() => Promise<void>)[] = []
  const topics = new Topics({
    streams: { everySecond: (_name, poll) => void polls.push(poll) },
    onFailure: (error) => {
      throw error
    },
  })
  const [boards, inboxes] = [topics.add(sourceOf('boards', true)), topics.add(sourceOf('inboxes', false))]

  /** Opens a stream of Ana. Returns a function that waits until the stream has received `count` events, and returns these. */
  async function open(requested: Record<string, string[]>, after?: string) {
    const ana = { kind: 'user', id: 'ana', session: { tokenHash: 'hash of ana' } } as unknown as Viewer
    const server = createServer((_request, response) => {
      const stream = new Stream(response, { viewer: ana, isAway: false, nowMs: 0 })
      void topics.find(ana, requested, after).then((found) => topics.subscribe(stream, found))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const body = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return async (count: number) => {
      while (text.split('\n\n').length <= count) text += (await body.read()).value!
      return text
        .split('\n\n')
        .slice(0, count)
        .map((part) => part.split('\n'))
    }
  }
  const publish = (kind: typeof boards, id: string, text: string) => {
    events.set(id, [...listOf(id), text])
    kind.get(id)?.poll()
  }
  return { events, permitted, permissionDelays, polls, boards, inboxes, open, publish }
}

test('one stream carries topics of two kinds, and one event id resumes both [R9]', async () => {
  const { events, permitted, boards, inboxes, open, publish } = await startWithTwoKinds()
  permitted.add('hash of ana')
  events.set('news', ['before']).set('ana', []).set('ben', [])
  const receive = await open({ boards: ['news'], inboxes: ['ana', 'ben'] })
  const [ready] = await receive(1)
  // The inbox of another person is left out.
  expect(ready!.slice(1)).toEqual(['event: ready', 'data: {"boards":["news"],"inboxes":["ana"]}'])
  publish(boards, 'news', 'first')
  await receive(2)
  publish(inboxes, 'ana', 'a letter')
  const received = await receive(3)
  expect(received.slice(1).map(([, ...event]) => event)).toEqual([
    ['event: boards', 'data: "first"'],
    ['event: inboxes', 'data: "a letter"'],
  ])
  const after = received[1]![0]!.replace('id: ', '')
  publish(boards, 'news', 'second')
  const resumed = await open({ boards: ['news'], inboxes: ['ana'] }, after)
  expect((await resumed(3)).slice(1).map(([, ...event]) => event)).toEqual([
    ['event: boards', 'data: "second"'],
    ['event: inboxes', 'data: "a letter"'],
  ])
})

test('a stream that loses the permission for a topic receives no more events of it, and still those of other topics [R10]', async () => {
  const { events, permitted, polls, boards, inboxes, open, publish } = await startWithTwoKinds()
  permitted.add('hash of ana')
  events.set('news', []).set('ana', [])
  const receive = await open({ boards: ['news'], inboxes: ['ana'] })
  await receive(1)
  permitted.clear()
  publish(inboxes, 'ana', 'a secret')
  await expect.poll(() => inboxes.get('ana')).toBeUndefined()
  publish(boards, 'news', 'first')
  expect((await receive(2)).at(-1)!.slice(1)).toEqual(['event: boards', 'data: "first"'])
  // A stream is also unsubscribed when nothing is published.
  permitted.add('hash of ana')
  await (
    await open({ inboxes: ['ana'] })
  )(1)
  permitted.clear()
  for (let second = 0; second < 5; second++) for (const poll of polls) await poll()
  expect(inboxes.get('ana')).toBeUndefined()
})

test('a stream that loses the permission during the permission query of a transient event does not receive this event [R10]', async () => {
  const { events, permitted, permissionDelays, polls, boards, inboxes, open, publish } =
    await startWithTwoKinds()
  permitted.add('hash of ana')
  events.set('news', []).set('ana', [])
  const receive = await open({ boards: ['news'], inboxes: ['ana'] })
  await receive(1)
  const inbox = inboxes.get('ana')!
  expect(await inbox.send('event: writing\ndata: "Ben"\n\n')).toHaveLength(1)
  await receive(2)
  const delay = Promise.withResolvers<void>()
  permissionDelays.push(delay.promise)
  const sending = inbox.send('event: writing\ndata: "a secret"\n\n')
  permitted.clear()
  for (let second = 0; second < 5; second++) for (const poll of polls) await poll()
  expect(inboxes.get('ana')).toBeUndefined()
  delay.resolve()
  expect(await sending).toEqual([])
  publish(boards, 'news', 'first')
  expect((await receive(3)).at(-1)!.slice(1)).toEqual(['event: boards', 'data: "first"'])
})
