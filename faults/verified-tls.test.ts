import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test, type TestContext } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { findServerPrograms, startThrowawayServer } from '../scripts/testing/postgres.ts'
import { zimmer } from './command-line.ts'
import { complaintOf, startInstance } from './instance.ts'

/** Reaches this machine, and is no loopback address. */
const elsewhere = '0.0.0.0'

type Postgres = Awaited<ReturnType<typeof startThrowawayServer>>

/** One for each certificate. */
const started = new Map<string | undefined, Promise<Postgres>>()
afterAll(async () => {
  for (const postgres of started.values()) await (await postgres).stop()
})

async function givePostgres(context: TestContext, certificateName?: string) {
  const programs = findServerPrograms()
  if (programs === undefined) context.skip('Postgres is not installed')
  const options = certificateName === undefined ? {} : { certificateName }
  const starting = started.get(certificateName) ?? startThrowawayServer(programs!, options)
  started.set(certificateName, starting)
  const postgres = await starting
  const { username, password, port } = new URL(postgres.url)
  const remote = (search = '') =>
    `postgres://${username}:${password}@/postgres?host=${elsewhere}&port=${port}${search}`
  return { ...postgres, remote }
}

const noAuthority =
  'The certificate of the server of DATABASE_URL cannot be verified (DEPTH_ZERO_SELF_SIGNED_CERT): name the certificate of its authority by sslrootcert=FILE in DATABASE_URL, or add sslmode=disable to DATABASE_URL, which sends everything unencrypted.'
const noTls =
  'The server of DATABASE_URL offers no TLS, which a database on another machine needs: turn TLS on there, or add sslmode=disable to DATABASE_URL, which sends everything unencrypted.'

test('an operator whose remote database has a certificate of no known authority reads in one sentence what to set [R1]', async (context) => {
  const { remote } = await givePostgres(context, `IP:${elsewhere}`)
  expect(await complaintOf({ DATABASE_URL: remote() })).toBe(`${noAuthority}\n`)
  expect(await zimmer('/nowhere', ['migrate'], { DATABASE_URL: remote() })).toEqual({
    code: 1,
    said: '',
    complaint: `${noAuthority}\n`,
  })
})

test('an operator whose remote PgBouncer has a certificate of no known authority reads in one sentence what to set [R1]', async (context) => {
  const { remote } = await givePostgres(context, `IP:${elsewhere}`)
  const settings = { DATABASE_URL: remote('&sslmode=no-verify'), DATABASE_POOL_URL: remote() }
  expect(await complaintOf(settings)).toBe(`${noAuthority.replaceAll('DATABASE_URL', 'DATABASE_POOL_URL')}\n`)
})

test('an operator whose remote database has a certificate for another name reads that in one sentence [R1]', async (context) => {
  const { remote, certificate } = await givePostgres(context, 'DNS:db.example.org')
  expect(await complaintOf({ DATABASE_URL: remote(`&sslrootcert=${certificate}`) })).toBe(
    'The certificate of the server of DATABASE_URL is for another name: use a name of the certificate in DATABASE_URL, or add sslmode=disable to DATABASE_URL, which sends everything unencrypted.\n',
  )
})

test('an operator whose remote database offers no TLS reads in one sentence what to set, and may switch TLS off [R1]', async (context) => {
  const { remote } = await givePostgres(context)
  expect(await complaintOf({ DATABASE_URL: remote() })).toBe(`${noTls}\n`)
  await startInstance({ DATABASE_URL: remote('&sslmode=disable') })
})

test('every connection of a server and of its commands to a remote database is encrypted [R1]', async (context) => {
  const { url, remote, certificate } = await givePostgres(context, `IP:${elsewhere}`)
  const settings = { DATABASE_URL: remote(`&sslrootcert=${certificate}`) }
  const instance = await startInstance(settings)
  await instance.client().does(register, { input: { email: 'ana@example.org', password: 'lamps and ink' } })
  const observer = new Client({ connectionString: url })
  await observer.connect()
  onTestFinished(() => observer.end())
  const { rows } = await observer.query<{ name: string; ssl: boolean }>(
    `select distinct application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
      where application_name like 'zimmer%' order by 1`,
  )
  expect(rows).toEqual([
    { name: 'zimmer', ssl: true },
    { name: 'zimmer live', ssl: true },
    { name: 'zimmer time zone', ssl: true },
  ])
  const file = join(instance.dataDir, 'now.tar.zst')
  expect(await zimmer(instance.dataDir, ['backup', file], settings)).toMatchObject({ code: 0, complaint: '' })
})
