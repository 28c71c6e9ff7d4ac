import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  makeDataFolder,
  removeDataFolder,
  ServerDidNotStart,
  type Settings,
  startServer,
} from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { startDatabase } from './instance.ts'

/** Patterns of a digest of a password, a key of 256 bits, addresses of the tests and the parameters of a query. */
const secrets = [
  /argon2/,
  /(?<![\w-])[\w-]{43}(?![\w-])/,
  /admin@zimmer/,
  /ana@example/,
  /params/i,
  /sentinel/i,
]

const held = (text: string) => secrets.filter((secret) => secret.test(text)).map(String)

/** Makes every insert into a table fail, with an error that contains the row. */
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
  // The tables exist and are empty. The next start writes their first rows.
  await zimmer(dataDir, ['migrate'], settings)
  await db.query(fault)
  return { dataDir, settings, log: database.log }
}

/** The output of a server that cannot start. */
async function complaintOf(dataDir: string, settings: Settings): Promise<string> {
  try {
    const server = await startServer({ dataDir, settings })
    await server.end('SIGKILL')
  } catch (error) {
    if (error instanceof ServerDidNotStart) return error.message
    throw error
  }
  return expect.unreachable('The server started.')
}

test.each([
  ['the first admin', 'credentials', 'P0001'],
  ['the address of the first admin', 'emails', 'P0001'],
  ['the key of the installation', 'instance_facts', 'P0001'],
])(
  'a start that cannot write %s names the place of the failure, and not the content [S5]',
  async (_what, table, code) => {
    const { dataDir, settings, log } = await startFailing(table)
    const message = await complaintOf(dataDir, settings)
    expect(message).toContain(`code ${code}`)
    expect(message).toMatch(/at .*server\//)
    expect(held(message)).toEqual([])
    expect(held(await log())).toEqual([])
  },
)

test('a start without a permission names the table, and not the content that it wrote [S5]', async () => {
  const { dataDir, settings } = await startFailing(
    'instance_facts',
    `create role plain login password 'plain'; grant usage on schema public, drizzle to plain;
     grant select on all tables in schema public, drizzle to plain`,
  )
  const url = settings.DATABASE_URL.replace(/\/\/[^@]*@/, '//plain:plain@')
  const message = await complaintOf(dataDir, { ...settings, DATABASE_URL: url })
  expect(message).toMatch(/permission denied/)
  expect(held(message)).toEqual([])
})

test('a command that fails in the database prints the code, and not the content that it wrote [S5]', async () => {
  const { settings, dataDir } = await startFailing('users')
  const { code, said, complaint } = await zimmer(dataDir, ['demo'], settings)
  expect([code, held(said + complaint)]).toEqual([1, []])
  expect(complaint).toContain('code P0001')
})
