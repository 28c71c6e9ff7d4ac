import { spawnSync } from 'node:child_process'
import { existsSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The account of Postgres: that of the server, except under root, where Postgres refuses to run. */
export interface Account {
  uid?: number
  gid?: number
}

/** The folders of one Postgres. */
export interface Place {
  dataDir: string
  home: string
  cluster: string
}

/** The account without rights. Other programs use it too, so our files must not belong to it for long. */
export const nobody = 65534

/**
 * The home is the data folder. When the account cannot enter it, such as a folder of root alone, the home is a folder of
 * its own, whose path the data folder stores.
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

/** The folder of the cluster, which may be on another disk than the data folder. */
export const clusterOf = async (dataDir: string): Promise<string> =>
  join((await recordedHome(dataDir)) || dataDir, 'postgres')

/** The owner of the cluster. For a new cluster, and for one of root or nobody, an unused account. */
export async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const owner = await stat(cluster).catch(() => undefined)
  const isShared = owner === undefined || owner.uid === 0 || owner.uid === nobody
  return isShared ? unusedAccount() : { uid: owner.uid, gid: owner.gid }
}

/** Account numbers that distributions leave unused (systemd: Users, Groups, UIDs and GIDs on systemd Systems). */
const unusedNumbers = { from: 60_578, count: 606 }

function unusedAccount(): Account {
  const first = Math.floor(Math.random() * unusedNumbers.count)
  const running = runningAccounts()
  for (let i = 0; i < unusedNumbers.count; i++) {
    const number = unusedNumbers.from + ((first + i) % unusedNumbers.count)
    if (!running.has(number) && !hasName(number)) return { uid: number, gid: number }
  }
  throw new Error('No account number is free for Postgres.')
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

/** Makes a folder that only the account may enter, and gives its content to the account. */
export async function privateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await giveTo(folder, account)
}

/** Gives a folder and its content to the account. The folder comes last, so that interrupted work is repeated. */
export async function giveTo(folder: string, { uid, gid }: Account): Promise<void> {
  if (uid === undefined || gid === undefined) return
  if ((await stat(folder)).uid === uid) return
  // From here on no process of the previous account can enter and replace files.
  await chown(folder, 0, 0)
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of inside) lchownSync(join(folder, name), uid, gid)
  await chown(folder, uid, gid)
}

/** Gives a file that root's command has made to the account of the data folder, like the files of its server. */
export async function giveToOwnerOf(dataDir: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  await chown(file, uid, gid)
}
