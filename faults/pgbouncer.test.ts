import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test, type TestContext } from 'vitest'
import { login, register } from '#contract/account/endpoints.ts'
import { approvePosts, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { redisIsMissing, startRedis } from '#server/testing/messengers.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startPgBouncer } from '../scripts/testing/pgbouncer.ts'
import { findServerPrograms, startThrowawayServer } from '../scripts/testing/postgres.ts'
import { isInstalled } from '../scripts/testing/programs.ts'
import { administrator, removeDataFolder, startServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { complaintOf, makeTestFolder, startInstance, storedPosts } from './instance.ts'
import { startStory } from './room-story.ts'

/** What the server names when PgBouncer does not set it. */
const connectQuery = [
  `default_transaction_isolation = ''read committed''`,
  `DateStyle = ''ISO, MDY''`,
  `IntervalStyle = ''postgres''`,
  `TimeZone = ''UTC''`,
  `search_path = ''public''`,
  `standard_conforming_strings = ''on''`,
  `bytea_output = ''hex''`,
  `statement_timeout = ''5s''`,
  `lock_timeout = ''0''`,
  `idle_in_transaction_session_timeout = ''0''`,
]
  .map((setting) => `set ${setting};`)
  .join(' ')

const programs = isInstalled('pgbouncer') ? findServerPrograms() : undefined
let postgres: Awaited<ReturnType<typeof startThrowawayServer>>
beforeAll(async () => {
  if (programs === undefined) return
  postgres = await startThrowawayServer(programs)
  return postgres.stop
})

let databases = 0

/** Makes an empty database on the Postgres of this file. */
async function makeDatabase(context: TestContext) {
  if (programs === undefined) context.skip('pgbouncer or Postgres is not installed')
  const name = `database${++databases}`
  const url = new URL(`/${name}`, postgres.url).href
  await ask(postgres.url, `create database ${name}`)
  // Nothing may depend on defaults of the database that happen to be right.
  await ask(url, `alter database ${name} set timezone = 'Asia/Kolkata'`)
  await ask(url, `alter database ${name} set datestyle = 'German'`)
  await ask(url, `alter database ${name} set default_transaction_isolation = 'serializable'`)
  return { name, url }
}

async function ask(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function startBouncer(url: string, options: { connectQuery?: string }) {
  const bouncer = await startPgBouncer(url, options)
  onTestFinished(bouncer.stop)
  return bouncer
}

async function startTwo(context: TestContext, more: Record<string, string>) {
  const { url } = await makeDatabase(context)
  const settings = {
    DATABASE_URL: url,
    DATABASE_POOL_URL: (await startBouncer(url, { connectQuery })).url,
    ...more,
  }
  return { settings, servers: [await startInstance(settings), await startInstance(settings)] as const }
}

test.for(['NOTIFY', 'Redis'])(
  'behind PgBouncer people on two servers register, post, write a story that arrives live, and send messages over %s, and a backup holds all of it [R5 R7 R9 R19]',
  async (messenger, context) => {
    if (messenger === 'Redis' && redisIsMissing) context.skip('redis-server is not installed')
    const { settings, servers } = await startTwo(
      context,
      messenger === 'Redis' ? { REDIS_URL: (await startRedis()).url } : {},
    )
    const [first, second] = servers
    const writers = Array.from({ length: 6 }, (_, i) => servers[i % 2]!.client())
    const story = await startStory({
      writers,
      passagesEach: 20,
      readAt: servers.map((server) => () => server.server.url),
    })

    const boss = first.client()
    await boss.does(login, { input: administrator })
    for (let i = 0; i < 10; i++)
      await servers[i % 2]!.client().does(submitPost, { input: { content: `Post ${i}`, authorName: 'Ben' } })
    const pending = await second.client(boss).does(listPendingPosts)
    expect(pending).toHaveLength(10)
    await boss.does(approvePosts, { input: { postIds: pending.map(({ id }) => id) } })
    await expect
      .poll(() => second.client().does(getFeedDay, { params: { offset: '0' } }), { timeout: 20_000 })
      .toHaveLength(10)

    const [ana, ben] = [first.client(), second.client()]
    const signingUp = (name: string) => ({
      input: { email: `${name}@example.org`, password: 'secret1', firstName: name },
    })
    const anaId = (await ana.does(register, signingUp('ana'))).id
    const benId = (await ben.does(register, signingUp('ben'))).id
    await ana.does(addFriend, { input: { friendUserId: benId } })
    for (let i = 0; i < 20; i++) {
      const [from, to] = i % 2 === 0 ? [ana, benId] : [ben, anaId]
      await from.does(sendMessage, {
        input: { messageType: 'text', receiverId: to, content: `Message ${i}` },
      })
    }
    const conversation = await ben.does(listMessages, { params: { friendId: anaId } })
    expect(conversation).toHaveLength(20)

    const { positions, inOrder, stored, acknowledged, received, story: whole } = await story.finish()
    expect(positions).toEqual(inOrder)
    expect(stored).toEqual(acknowledged)
    expect(received).toEqual(received.map(() => whole))

    await servers[0].client().does(submitPost, { input: { content: 'The last', authorName: 'Ben' } })
    const folder = await mkdtemp(join(tmpdir(), 'zimmer-backup-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'backup.tar.zst')
    expect(await zimmer(first.dataDir, ['backup', file], settings)).toMatchObject({ code: 0, complaint: '' })
    const dataDir = join(folder, 'restored')
    onTestFinished(() => removeDataFolder(dataDir))
    expect(await zimmer(dataDir, ['restore', file])).toMatchObject({ code: 0, complaint: '' })
    const restored = await startInstanceOn(dataDir)
    expect((await storedPosts(restored)).map(([content]) => content)).toEqual(['The last'])
  },
)

test('people write while PgBouncer and Postgres are restarted: no acknowledged post is lost, refused ones get 503, and within 5 s all are served again [R1 R15]', async (context) => {
  const { url } = await makeDatabase(context)
  const bouncer = await startBouncer(url, { connectQuery })
  const instance = await startInstance({ DATABASE_URL: url, DATABASE_POOL_URL: bouncer.url })
  const visitor = instance.client()
  const [acknowledged, statuses] = [new Set<string>(), new Set<number>()]
  let count = 0
  const write = async () => {
    const content = `Post ${count++}`
    const answer = await visitor.tries(submitPost, { input: { content, authorName: 'Ben' } })
    await answer.arrayBuffer()
    statuses.add(answer.status)
    if (answer.status === 201) acknowledged.add(content)
    return answer.status
  }
  let isOver = false
  onTestFinished(() => void (isOver = true))
  const writers = Array.from({ length: 6 }, async () => {
    while (!isOver) await write()
  })
  const areServed = async () => {
    const next = acknowledged.size + 50
    await expect.poll(() => acknowledged.size, { timeout: 5000 }).toBeGreaterThan(next)
    expect(await write()).toBe(201)
  }
  await areServed()
  for (const restart of [bouncer.restart, postgres.restart]) {
    await restart()
    await areServed()
  }
  await Promise.all([bouncer.restart(), postgres.restart()])
  await areServed()
  isOver = true
  await Promise.all(writers)
  expect(statuses).toEqual(new Set([201, 503]))
  const stored = (await storedPosts(instance.client())).map(([content]) => content)
  expect(stored).toEqual(expect.arrayContaining([...acknowledged]))
  expect(new Set(stored).size).toBe(stored.length)
})

async function startInstanceOn(dataDir: string) {
  const server = await startServer({ dataDir })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return new HttpClient(() => server.url)
}

test('a server refuses a PgBouncer that does not set what the code relies on, and names the line of its file that does [R26]', async (context) => {
  const { url } = await makeDatabase(context)
  const complaint = await complaintOf({
    DATABASE_URL: url,
    DATABASE_POOL_URL: (await startBouncer(url, {})).url,
  })
  expect(complaint).toContain('The connections of DATABASE_POOL_URL do not have the setting')
  expect(complaint).toContain(`connect_query='${connectQuery}'`)
})

test('a server refuses a PgBouncer before a copy of its database [R26]', async (context) => {
  const { name, url } = await makeDatabase(context)
  const dataDir = await makeTestFolder()
  expect(await zimmer(dataDir, ['migrate'], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  await ask(postgres.url, `create database copy template ${name}`)
  const copy = new URL('/copy', url).href
  const { url: pooler } = await startBouncer(copy, { connectQuery })
  expect(await complaintOf({ DATABASE_URL: url, DATABASE_POOL_URL: pooler })).toContain(
    'DATABASE_POOL_URL leads to another database than DATABASE_URL',
  )
})
