import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startRelay } from '#server/testing/smtp.ts'
import { startServer } from '../scripts/testing/running-server.ts'
import { makeTestFolder, startUsedDatabase } from './instance.ts'

const count = 200

test('of two processes that send 200 mails one is killed: each mail arrives, and only the one that was under way arrives twice [REACH-06 R28]', async () => {
  let isAtKill: (() => void) | undefined
  const arrived: string[] = []
  const relay = await startRelay({
    answer: async ({ headers }) => {
      arrived.push(headers.get('message-id')![0]!)
      if (arrived.length === count / 2) isAtKill?.()
      // Both processes get their turn.
      await new Promise(setImmediate)
    },
  })
  const { url } = await startUsedDatabase()
  const settings = {
    DATABASE_URL: url,
    SMTP_URL: relay.url,
    MAIL_FROM: 'desk@zimmer.example',
    PUBLIC_ORIGIN: 'http://localhost:3000',
  }
  const start = async () => {
    const server = await startServer({ dataDir: await makeTestFolder(), settings })
    onTestFinished(() => void server.end('SIGKILL'))
    return server
  }
  const [one] = await Promise.all([start(), start()])
  const database = new Client({ connectionString: url })
  await database.connect()
  onTestFinished(() => database.end())
  const killed = new Promise<void>((resolve) => {
    isAtKill = () => {
      one.process.kill('SIGKILL')
      resolve()
    }
  })
  await database.query(`
    insert into users (id, created_at) select 'w' || lpad(n::text, 9, '0'), now() from generate_series(1, ${count}) n;
    insert into emails (address, user_id)
      select 'writer' || n || '@example.org', 'w' || lpad(n::text, 9, '0') from generate_series(1, ${count}) n;
    insert into mails (id, kind, user_id, created_at, attempt_at, give_up_at)
      select gen_random_uuid(), 'confirmation', 'w' || lpad(n::text, 9, '0'), now(), now(), now() + interval '2 days'
      from generate_series(1, ${count}) n`)
  await killed
  const left = async () => Number((await database.query('select count(*) from mails')).rows[0].count)
  // The mail that the killed process had taken waits for the end of its lease. The other process sends all others.
  await expect.poll(left, { timeout: 60_000 }).toBeLessThanOrEqual(1)
  await database.query('update mails set attempt_at = now()')
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
  expect(new Set(relay.received.flatMap(({ to }) => to)).size).toBe(count)
  const twice = arrived.length - new Set(arrived).size
  expect(twice).toBeLessThanOrEqual(1)
  expect(arrived.length).toBe(count + twice)
})
