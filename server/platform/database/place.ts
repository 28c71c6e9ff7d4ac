import { spawnSync } from 'node:child_process'
import { existsSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The account Postgres runs under: our own, except for root, under which it refuses to run. */
export interface Account {
  uid?: number
  gid?: number
}

/** Where the files of one Postgres live. */
export interface Place {
  dataDir: string
  home: string
  cluster: string
}

/** The account that needs no rights. Other programs have it too, so that files of ours must not stay with it. */
export const nobody = 65534

/**
 * The home is the data folder, or, when the account cannot get there (a folder that only root may enter), a
 * folder of its own whose address the data folder keeps.
 */
export async function placeOf(dataDir: string): Promise<Place> {
  await mkdir(dataDir, { recursive: true })
  const elsewhere = await recordedHome(dataDir)
  const place = (home: string) => ({ dataDir, home, cluster: join(home, 'postgres') })
  if (elsewhere) return place(elsewhere)
  const account = await accountFor(join(dataDir, 'postgres'))
  if (account.uid === undefined || canEnter(dataDir, account)) return place(dataDir)
  await chmod(dataDir, 0o711)
  if (canEnter(dataDir, account)) return place(dataDir)
  await mkdir('/var/lib', { recursive: true })
  const home = await mkdtemp('/var/lib/zimmer-')
  await chmod(home, 0o711)
  await writeFile(recordOf(dataDir), `${home}\n`)
  return place(home)
}

const recordOf = (dataDir: string) => join(dataDir, 'postgres-folder')

const recordedHome = async (dataDir: string) =>
  (await readFile(recordOf(dataDir), 'utf8').catch(() => '')).trim()

/** Where the cluster of a data folder is, which may be on another disk. */
export const clusterOf = async (dataDir: string): Promise<string> =>
  join((await recordedHome(dataDir)) || dataDir, 'postgres')

/** The account that a cluster belongs to; for one that root or nobody has, and for a new one, an unused account. */
export async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const owner = await stat(cluster).catch(() => undefined)
  const isShared = owner === undefined || owner.uid === 0 || owner.uid === nobody
  return isShared ? unusedAccount() : { uid: owner.uid, gid: owner.gid }
}

/** Numbers that distributions give to nobody (systemd: Users, Groups, UIDs and GIDs on systemd Systems). */
const unusedNumbers = { from: 60_578, count: 606 }

function unusedAccount(): Account {
  const first = Math.floor(Math.random() * unusedNumbers.count)
  const running = runningAccounts()
  for (let i = 0; i < unusedNumbers.count; i++) {
    const number = unusedNumbers.from + ((first + i) % unusedNumbers.count)
    if (!running.has(number) && !hasName(number)) return { uid: number, gid: number }
  }
  throw new Error('No number of an account is free for Postgres.')
}

function hasName(number: number) {
  return ['passwd', 'group'].some((list) => spawnSync('getent', [list, String(number)]).status === 0)
}

function runningAccounts() {
  const numbers = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return new Set(numbers.map((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid))
}

function canEnter(folder: string, account: Account) {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' }).status === 0
}

/** Makes a folder that only the account may enter, and hands the account all that is in it. */
export async function privateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await giveTo(folder, account)
}

/** Hands a folder, with all that is in it, to the account; the folder itself last, so that a half is done again. */
export async function giveTo(folder: string, { uid, gid }: Account): Promise<void> {
  if (uid === undefined || gid === undefined) return
  if ((await stat(folder)).uid === uid) return
  // From here on no process of the earlier account can enter and put something else in its place.
  await chown(folder, 0, 0)
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of inside) lchownSync(join(folder, name), uid, gid)
  await chown(folder, uid, gid)
}

/** A file of a command that root runs belongs to the account of the data folder, as those of its server do. */
export async function giveToOwnerOf(dataDir: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  await chown(file, uid, gid)
}
