import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  makeDataFolder,
  removeDataFolder,
  ServerDidNotStart,
  startServer,
} from '../scripts/testing/running-server.ts'
import { startDatabase } from './instance.ts'

const root = join(import.meta.dirname, '..')
/** A digest of a password, a key of 256 bits, an address of the tests, the parameters of a query. */
const secrets = [
  /argon2/,
  /(?<![\w-])[\w-]{43}(?![\w-])/,
  /admin@zimmer/,
  /ana@example/,
  /params/i,
  /sentinel/i,
]

const held = (text: string) => secrets.filter((secret) => secret.test(text)).map(String)

/** Makes every new row of a table fail, in words that repeat the row. */
const refusal = (table: string) => `
  create or replace function refuse() returns trigger language plpgsql as $$
  begin
    raise exception 'refused %', new using detail = new::text, hint = new::text;
  end $$;
  create trigger refuse before insert or update on ${table} for each row execute function refuse()`

async function startFailing(table: string, fault = refusal(table)) {
  const database = await startDatabase()
  const dataDir = await makeDataFolder()
  const db = new Client({ connectionString: database.url })
  await db.connect()
  onTestFinished(async () => {
    await db.end()
    await removeDataFolder(dataDir)
  })
  const settings = { DATABASE_URL: database.url, LOG_LEVEL: 'debug' }
  // The tables are there, and empty: the next start writes its first rows.
  await zimmer(['migrate'], settings)
  await db.query(fault)
  return { dataDir, settings, log: database.log }
}

const run = promisify(execFile)

async function zimmer(args: string[], settings: Record<string, string>) {
  const { PATH = '' } = process.env
  const env = { PATH, ...settings }
  return run('node', ['server/zimmer.ts', ...args], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, said: `${stdout}${stderr}` }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      said: `${stdout}${stderr}`,
    }),
  )
}

test.each([
  ['the first admin', 'credentials', 'P0001'],
  ['the address of the first admin', 'emails', 'P0001'],
  ['the key of the installation', 'instance_facts', 'P0001'],
])(
  'a start that cannot write %s says where it failed, without what it wrote [S5]',
  async (_what, table, code) => {
    const { dataDir, settings, log } = await startFailing(table)
    const start = startServer({ dataDir, settings })
    onTestFinished(() =>
      start
        .then(({ end }) => end('SIGKILL'))
        .then(
          () => {},
          () => {},
        ),
    )
    const { message } = await start.then(
      () => expect.unreachable('The server started.'),
      (error: ServerDidNotStart) => error,
    )
    expect(message).toContain(`code ${code}`)
    expect(message).toMatch(/at .*server\//)
    expect(held(message)).toEqual([])
    expect(held(await log())).toEqual([])
  },
)

test('a start without a right says which table it may not write, and not what it wrote [S5]', async () => {
  const { dataDir, settings } = await startFailing(
    'instance_facts',
    `create role plain login password 'plain'; grant usage on schema public, drizzle to plain;
     grant select on all tables in schema public, drizzle to plain`,
  )
  const url = settings.DATABASE_URL.replace(/\/\/[^@]*@/, '//plain:plain@')
  const start = startServer({ dataDir, settings: { ...settings, DATABASE_URL: url } })
  onTestFinished(() =>
    start
      .then(({ end }) => end('SIGKILL'))
      .then(
        () => {},
        () => {},
      ),
  )
  const { message } = await start.then(
    () => expect.unreachable('The server started.'),
    (error: ServerDidNotStart) => error,
  )
  expect(message).toMatch(/permission denied/)
  expect(held(message)).toEqual([])
})

test('a command that fails in the database says the code, and not what it wrote [S5]', async () => {
  const { settings, dataDir } = await startFailing('users')
  const { code, said } = await zimmer(['demo'], { ...settings, DATA_DIR: dataDir })
  expect([code, held(said)]).toEqual([1, []])
  expect(said).toContain('code P0001')
})
