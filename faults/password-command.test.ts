import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { getMe, login, register } from '#contract/account/endpoints.ts'
import { connectToDatabase, startSharedInstance } from './instance.ts'

const root = join(import.meta.dirname, '..')
const first = 'lamps and ink 1'
const second = 'lamps and ink 2'

/** Runs a command in a terminal, and types each answer after its question has appeared. */
async function runs(command: string[], dataDir: string, answers: [question: string, answer: string][]) {
  const { PATH = '' } = process.env
  const child = spawn(command[0]!, command.slice(1), { cwd: root, env: { PATH, DATA_DIR: dataDir } })
  let shown = ''
  const ended = once(child, 'close') as Promise<[number]>
  const asked = async (question: string) =>
    await expect.poll(() => shown, { timeout: 20_000 }).toContain(question)
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => void (shown += chunk.toString()))
  for (const [question, answer] of answers) {
    await asked(question)
    child.stdin.write(answer)
  }
  if (answers.every(([question]) => question === '')) child.stdin.end()
  const [code] = await ended
  return { code, shown }
}

const zimmer = ['node', 'server/zimmer.ts', 'password']

let instance: Awaited<ReturnType<typeof startSharedInstance>>
beforeAll(async () => {
  instance = await startSharedInstance()
  return instance.remove
})

let people = 0

async function registerAna() {
  const email = `ana${++people}@example.org`
  const ana = instance.client()
  await ana.does(register, { input: { email, password: first } })
  const signsIn = async (password: string) =>
    (await instance.client().tries(login, { input: { email, password } })).status
  return { dataDir: instance.dataDir, email, ana, signsIn }
}

test('a command sets a password from standard input while the server runs, and every session of the person ends [S54 S12]', async () => {
  const { dataDir, email, ana, signsIn } = await registerAna()
  const { code, shown } = await runs([...zimmer, email], dataDir, [['', `${second}\n`]])
  expect(code).toBe(0)
  expect(shown).toContain(`The password of ${email} is set.`)
  expect(shown).not.toContain(second)
  expect((await ana.tries(getMe)).status).toBe(401)
  expect([await signsIn(first), await signsIn(second)]).toEqual([401, 200])
})

test('a command that sets a password ends the link of the account at the OpenID Connect provider [INST-08 S23]', async () => {
  const { dataDir, email } = await registerAna()
  const database = await connectToDatabase(dataDir)
  try {
    await database.query(
      "insert into openid_links select user_id, 'https://login.example', 'ana', now() from emails where address = $1",
      [email],
    )
    expect((await runs([...zimmer, email], dataDir, [['', `${second}\n`]])).code).toBe(0)
    expect((await database.query('select 1 from openid_links')).rowCount).toBe(0)
  } finally {
    await database.end()
  }
})

test('a command with a wrong password or person names the reason and changes nothing [S54 S13]', async () => {
  const { dataDir, email, ana, signsIn } = await registerAna()
  for (const [args, input, sentence, exitCode = 1] of [
    [[email], 'abc\n', 'Password must be at least 6 characters'],
    [[email], `${second}\n${second}\n`, 'A password is one line.'],
    [['nobody@example.org'], `${second}\n`, 'Nobody is registered'],
    // Every account of the machine could read a password in an argument.
    [[email, second], '', 'Use: npm run zimmer -- password EMAIL', 2],
  ] as const) {
    const { code, shown } = await runs([...zimmer, ...args], dataDir, [['', input]])
    expect([code, shown]).toEqual([exitCode, expect.stringContaining(sentence)])
  }
  expect((await ana.tries(getMe)).status).toBe(200)
  expect([await signsIn(first), await signsIn(second)]).toEqual([200, 401])
}, 240_000)

test.skipIf(process.platform !== 'linux')(
  'the command asks twice in a terminal without showing the password; two different ones, or none, change nothing [S54 S5]',
  async () => {
    const { dataDir, email, signsIn } = await registerAna()
    const onTerminal = ['script', '-qec', [...zimmer, email].join(' '), '/dev/null']
    const type = (one: string, other: string) =>
      runs(onTerminal, dataDir, [
        ['New password for', one],
        ['once more', other],
      ])
    const differing = await type(`${second}\r`, `${second}x\r`)
    expect(differing.code).toBe(1)
    expect(differing.shown).toContain('The two passwords differ. Nothing was changed.')
    const interrupted = await runs(onTerminal, dataDir, [['New password for', `${second}\u0003`]])
    expect(interrupted.code).toBe(1)
    expect(interrupted.shown).toContain('No password was typed. Nothing was changed.')
    expect(await signsIn(first)).toBe(200)

    const { code, shown } = await type(`${second}\r`, `${second}\r`)
    expect([code, shown.includes(second)]).toEqual([0, false])
    expect(shown).toContain('is set')
    expect(await signsIn(second)).toBe(200)
  },
)

test.skipIf(process.platform !== 'linux')(
  'a command makes an admin of a person with a short password only with a new one, which a terminal asks for and does not show [S60 S13 S5]',
  async () => {
    const { dataDir, email, ana, signsIn } = await registerAna()
    const grant = ['node', 'server/zimmer.ts', 'admin', 'grant', email]
    for (const [input, sentence] of [
      ['', 'No password was given. Run the command in a terminal, which asks for it'],
      ['abcdef\n', 'Password must be at least 12 characters'],
    ] as const) {
      const { code, shown } = await runs(grant, dataDir, [['', input]])
      expect([code, shown]).toEqual([1, expect.stringContaining(sentence)])
    }
    expect((await ana.does(getMe)).isAdmin).toBe(false)

    const onTerminal = ['script', '-qec', grant.join(' '), '/dev/null']
    const { code, shown } = await runs(onTerminal, dataDir, [
      ['New password for', `${second}\r`],
      ['once more', `${second}\r`],
    ])
    expect([code, shown.includes(second)]).toEqual([0, false])
    expect(shown).toContain(`${email} is an admin now.`)
    expect([await signsIn(first), await signsIn(second)]).toEqual([401, 200])
  },
  240_000,
)
