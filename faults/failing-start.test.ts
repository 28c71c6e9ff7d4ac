import { chmod, mkdir, readdir, rmdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/platform/database/migrate.ts'
import { removeDataFolder, type Settings } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { complaintOf, makeTestFolder, makeUsedFolder, startSharedDatabase } from './instance.ts'

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

/** Its tables exist and are empty: a start on a copy writes their first rows. */
let postgres: Awaited<ReturnType<typeof startSharedDatabase>>
beforeAll(async () => {
  postgres = await startSharedDatabase()
  const migrations = join(import.meta.dirname, '../migrations')
  await migrate({ connectionString: postgres.url }, migrations)
  return postgres.remove
})

let copies = 0

async function makeFailing(table: string, fault = refusal(table)) {
  const name = `copy${++copies}`
  await ask(postgres.url.replace(/@\/\w+/, '@/template1'), `create database ${name} template postgres`)
  const url = postgres.url.replace(/@\/\w+/, `@/${name}`)
  await ask(url, fault)
  const settings = { DATABASE_URL: url, LOG_LEVEL: 'debug' }
  return { dataDir: await makeTestFolder(), settings, log: postgres.log }
}

async function ask(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

test.each([
  ['the first admin', 'credentials', 'P0001'],
  ['the address of the first admin', 'emails', 'P0001'],
  ['the key of the installation', 'instance_facts', 'P0001'],
])(
  'a start that cannot write %s names the place of the failure, and not the content [S5]',
  async (_what, table, code) => {
    const { dataDir, settings, log } = await makeFailing(table)
    const message = await complaintOf(settings, dataDir)
    expect(message).toContain(`code ${code}`)
    expect(message).toMatch(/at .*server\//)
    expect(held(message)).toEqual([])
    expect(held(await log())).toEqual([])
  },
)

test('a start without a permission names the table, and not the content that it wrote [S5]', async () => {
  const { dataDir, settings } = await makeFailing(
    'instance_facts',
    `create role plain login password 'plain'; grant usage on schema public, drizzle to plain;
     grant select on all tables in schema public, drizzle to plain`,
  )
  const url = settings.DATABASE_URL.replace(/\/\/[^@]*@/, '//plain:plain@')
  const message = await complaintOf({ ...settings, DATABASE_URL: url }, dataDir)
  expect(message).toMatch(/permission denied/)
  expect(held(message)).toEqual([])
})

test('a command that fails in the database prints the code, and not the content that it wrote [S5]', async () => {
  const { settings, dataDir } = await makeFailing('users')
  const { code, said, complaint } = await zimmer(dataDir, ['demo'], settings)
  expect([code, held(said + complaint)]).toEqual([1, []])
  expect(complaint).toContain('code P0001')
})

test.each([
  [{ TRUST_PROXY: 'nginx' }, 'The setting TRUST_PROXY is not usable: addresses or networks such as'],
  [{ HOST: '198.51.100.1' }, 'HOST is 198.51.100.1, which is not an address of this machine.'],
] satisfies [Settings, string][])(
  'an operator whose settings are wrong (%j) reads one sentence, and no database is made [R16]',
  async (settings, sentence) => {
    const dataDir = await makeTestFolder()
    const complaint = await complaintOf(settings, dataDir)
    expect(complaint).toMatch(new RegExp(`^${RegExp.escape(sentence)}[^\\n]*\\n$`))
    expect(await readdir(dataDir)).toEqual([])
  },
)

test('an operator whose data folder is a file reads one sentence from the server and from a command [R16]', async () => {
  const file = join(await makeTestFolder(), 'file')
  await writeFile(file, 'kept')
  const sentence = `The setting DATA_DIR is not usable: ${file} is a file, not a folder.\n`
  expect(await Promise.all([complaintOf({}, file), zimmer(file, ['migrate'])])).toEqual([
    sentence,
    { code: 1, said: '', complaint: sentence },
  ])
})

test('an operator whose DATA_DIR holds no database reads one sentence from the commands that need one, and nothing is made [R16]', async () => {
  const folder = await makeTestFolder()
  const dataDir = join(folder, 'mistyped')
  const commands = [
    ['doctor'],
    ['migrate'],
    ['backup', join(folder, 'backup')],
    ['password', 'ana@example.org'],
  ]
  const answers = await Promise.all(commands.map((words) => zimmer(dataDir, words)))
  const complaint = `There is no database in ${dataDir}: check DATA_DIR. Only a start, "restore" and "demo" make a database.\n`
  expect(answers).toEqual(commands.map(() => ({ code: 1, said: '', complaint })))
  expect(await readdir(folder)).toEqual([])
})

test('an operator whose database is on a disk that is not mounted reads that there is none, and nothing is made [R16]', async () => {
  const dataDir = await makeTestFolder()
  const cluster = join(dataDir, 'postgres')
  await mkdir(cluster)
  const complaint = expect.stringContaining(`There is no database in ${dataDir}: check DATA_DIR.`)
  expect(await zimmer(dataDir, ['migrate'])).toEqual({ code: 1, said: '', complaint })
  expect([await readdir(dataDir), await readdir(cluster)]).toEqual([['postgres'], []])
  await rmdir(cluster)
  await symlink('/nowhere', cluster)
  expect(await zimmer(dataDir, ['migrate'])).toEqual({ code: 1, said: '', complaint })
})

test('an operator whose account may not write in the data folder reads one sentence [R16]', async () => {
  const dataDir = await makeTestFolder()
  await chmod(dataDir, 0o555)
  // Root may write everywhere, so another account runs the command there.
  const launcher = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : []
  expect(await zimmer(dataDir, ['demo'], {}, launcher)).toEqual({
    code: 1,
    said: '',
    complaint: `The setting DATA_DIR is not usable: this account may not read and write in ${dataDir}.\n`,
  })
})

test('an operator whose database cannot be reached, or refuses the password, reads one sentence [R16]', async () => {
  const dataDir = await makeTestFolder()
  for (const [DATABASE_URL, reason] of [
    ['postgres://localhost:1/zimmer', /connect ECONNREFUSED [^\n]*/],
    [
      postgres.url.replace(/\/\/[^@]*@/, '//zimmer:wrong@'),
      /The database refused: password authentication failed [^\n]*/,
    ],
  ] as const) {
    const [server, command] = await Promise.all([
      complaintOf({ DATABASE_URL }, dataDir),
      zimmer(dataDir, ['migrate'], { DATABASE_URL }),
    ])
    expect(server).toMatch(new RegExp(`^The database of DATABASE_URL cannot be used: ${reason.source}\\n$`))
    expect(command).toEqual({ code: 1, said: '', complaint: server })
  }
})

test('an operator who misspells a setting reads which one is meant, from the server and from a command', async () => {
  const dataDir = await makeUsedFolder()
  onTestFinished(() => removeDataFolder(dataDir))
  const sentence = 'PORTT is no setting and is ignored. Did you mean PORT?'
  // The host is refused right after the sentence.
  const settings = { PORTT: '4000', HOST: '198.51.100.1' }
  const [server, command] = await Promise.all([
    complaintOf(settings, dataDir),
    zimmer(dataDir, ['migrate'], settings),
  ])
  expect(server).toContain(sentence)
  expect(command.complaint).toBe(`${sentence}\n`)
})
