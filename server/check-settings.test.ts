import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

/** What the check before a build says with these settings. */
async function check(settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...settings }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'check-settings.ts')], { env })
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { status: status as number, said }
}

test('an operator reads of a wrong setting before the page is built, and of none that is right', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const DATA_DIR = join(folder, 'data')
  const admin = { ADMIN_EMAIL: 'ana@example.org', ADMIN_PASSWORD: 'too short' }
  const refused = (said: string) => ({ status: 1, said: `${said}\n` })
  expect(await check({ DATA_DIR, PORT: '0' })).toEqual({ status: 0, said: '' })
  expect(await check({ DATA_DIR, PORT: '0', ...admin })).toEqual(
    refused('The setting ADMIN_PASSWORD is not usable: at least 12 characters.'),
  )
  expect(await check({ DATA_DIR, PORT: port })).toEqual(
    refused(`Another program listens on port ${port} of 127.0.0.1. Stop it, or set PORT to another number.`),
  )
  const file = import.meta.filename
  expect(await check({ DATA_DIR: file, PORT: '0' })).toEqual(
    refused(`The setting DATA_DIR is not usable: ${file} is a file, not a folder.`),
  )
})
