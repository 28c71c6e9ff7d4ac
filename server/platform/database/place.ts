import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The account Postgres runs under: our own, except for root, under which it refuses to run. */
export interface Account {
  uid?: number
  gid?: number
}

/** Where the files of one Postgres live, and under which account it runs. */
export interface Place {
  home: string
  cluster: string
  account: Account
}

const nobody = { uid: 65534, gid: 65534 }

/**
 * The home is the data folder, or, when the account cannot get there (a folder that only root may enter), a
 * folder of its own whose address the data folder keeps.
 */
export async function placeOf(dataDir: string): Promise<Place> {
  await mkdir(dataDir, { recursive: true })
  const recorded = join(dataDir, 'postgres-folder')
  const elsewhere = (await readFile(recorded, 'utf8').catch(() => '')).trim()
  const account = await accountFor(join(elsewhere || dataDir, 'postgres'))
  const place = (home: string) => ({ home, cluster: join(home, 'postgres'), account })
  if (elsewhere) return place(elsewhere)
  if (account.uid === undefined || canEnter(dataDir, account)) return place(dataDir)
  await chmod(dataDir, 0o711)
  if (canEnter(dataDir, account)) return place(dataDir)
  await mkdir('/var/lib', { recursive: true })
  const home = await mkdtemp('/var/lib/zimmer-')
  await chmod(home, 0o711)
  await writeFile(recorded, `${home}\n`)
  return place(home)
}

async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const owner = await stat(cluster).catch(() => undefined)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
}

function canEnter(folder: string, account: Account) {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' }).status === 0
}

/** Makes a folder that only the account may enter. */
export async function privateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid)
}

/** Hands a folder that root has copied here, with all that is in it, to the account. */
export async function giveTo(folder: string, account: Account): Promise<void> {
  const { uid, gid } = account
  if (uid === undefined || gid === undefined) return
  if ((await stat(folder)).uid === uid) return
  const inside = await readdir(folder, { recursive: true })
  for (const path of [...inside.map((name) => join(folder, name)), folder]) await chown(path, uid, gid)
}
