import { randomBytes } from 'node:crypto'
import { chown, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { ifMissing, syncFolder } from '../files.ts'
import { lockKeys } from './lock-keys.ts'
import { type Account, giveToOwnerOf, type Place } from './place.ts'

export const superuser = 'zimmer'

/** Only the account of the server can read the file. It exists only when Postgres requires the password in it. */
export const passwordFile = (dataDir: string) => join(dataDir, 'database-password')

export async function readPassword(dataDir: string): Promise<string | undefined> {
  const text = await readFile(passwordFile(dataDir), 'utf8').catch(ifMissing(undefined))
  return text?.trim()
}

/** The pg_hba file. Until a password exists, every account that can enter the private folder may connect. */
export const accessFile = (home: string) => join(home, 'database-access.conf')

export async function writeAccess(home: string, account: Account, hasPassword: boolean): Promise<void> {
  const file = accessFile(home)
  await writeFile(file, `local all all ${hasPassword ? 'scram-sha-256' : 'trust'}\n`, { mode: 0o600 })
  if (account.uid !== undefined && account.gid !== undefined) await chown(file, account.uid, account.gid)
}

/**
 * Sets a password, unless there is one, and makes Postgres require it. A kill at any moment leaves either no file and a
 * cluster without a password, or a file with the password of the cluster. The next start completes the work.
 */
export async function requirePassword(place: Place, account: Account, access: ClientConfig): Promise<void> {
  if ((await readPassword(place.dataDir)) !== undefined) return
  const client = new Client(access)
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    // Another process has set the password meanwhile. It writes the file before Postgres requires the password.
    if ((await readPassword(place.dataDir)) !== undefined) return
    throw error
  }
  try {
    await client.query('select pg_advisory_lock($1)', [lockKeys.password])
    if ((await readPassword(place.dataDir)) !== undefined) return
    const password = randomBytes(32).toString('hex')
    await client.query(`alter role ${superuser} password '${password}'`)
    await writePassword(place.dataDir, password)
    await writeAccess(place.home, account, true)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

async function writePassword(dataDir: string, password: string) {
  const path = passwordFile(dataDir)
  const unfinished = `${path}.new`
  const file = await open(unfinished, 'w', 0o600)
  await file.writeFile(`${password}\n`)
  await file.sync().finally(() => file.close())
  await giveToOwnerOf(dataDir, unfinished)
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}
