import { expect, onTestFinished, test } from 'vitest'
import { createFirstAdmin } from '#contract/account/setup/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startServer } from '../scripts/testing/running-server.ts'
import { makeTestFolder } from './instance.ts'

const settings = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', LOG_LEVEL: 'debug', LOG_FORMAT: 'json' }
const link = /(http:\S+)\/setup#([\dA-Z-]{19})/

test('a start without an admin prints a set-up code once, beside the log; a restart ends it and prints another; after the set-up none is printed [INST-09 S57]', async () => {
  const dataDir = await makeTestFolder()
  const start = async () => {
    const server = await startServer({ dataDir, settings })
    onTestFinished(() => void server.end('SIGKILL'))
    return { server, client: new HttpClient(() => server.url) }
  }
  const codeOf = (output: string) => {
    const [, origin, code] = link.exec(output)!
    const lines = output.split('\n').filter((line) => line.includes(code!))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^Make the first admin account at http/)
    return { origin, code: code! }
  }
  const first = await start()
  await expect.poll(() => first.server.output()).toMatch(link)
  const before = codeOf(first.server.output())
  expect(before.origin).toBe(first.server.url)
  await first.server.end('SIGKILL')

  const second = await start()
  await expect.poll(() => second.server.output()).toMatch(link)
  const { code } = codeOf(second.server.output())
  const vera = { name: 'Vera Lind', email: 'vera@example.org', passcode: 'lamps and ink 9' }
  const old = second.client.does(createFirstAdmin, { input: { ...vera, code: before.code } })
  await expect(old).rejects.toThrow('403')
  expect((await second.client.does(createFirstAdmin, { input: { ...vera, code } })).isAdmin).toBe(true)
  expect(codeOf(second.server.output()).code).toBe(code)
  await second.server.end('SIGTERM')

  const { server } = await start()
  expect(server.output()).not.toMatch(link)
})
