import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { giveTo, nobody } from '#server/platform/database/place.ts'
import { makeThrowawayFolder } from '#server/testing/throwaway.ts'
import { accepts, freePort } from '../../scripts/testing/ports.ts'
import { programEnvironment } from '../../scripts/testing/programs.ts'
import { type Network, openLoopback } from './network.ts'
import { processesIn, signalAll } from './processes.ts'

/** Postgres refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
const asAccount =
  account.uid === undefined ? [] : ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

const deployFolder = join(import.meta.dirname, '../../deploy/patroni')

interface Options {
  network?: Network
  /** Gives each Postgres a disk of 1 GB, which can be filled. Only root may mount one. */
  hasDisks?: boolean
}

interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  timeline?: number
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>
export type Machine = Cluster['machines'][number]

/** Three machines with etcd, Patroni and Postgres, and HAProxy before them, with the files of `deploy/patroni`. */
export async function startCluster({ network, hasDisks = false }: Options = {}) {
  const folder = await makeThrowawayFolder('zimmer-failover-', endLeftover)
  const net = network ?? (await openLoopback())
  const password = randomBytes(16).toString('hex')
  const ports = { primary: await freePort(), standby: await freePort() }
  const fill = (text: string) => fillIn(text, { net, password, ports })
  const machines = [1, 2, 3].map(
    (number) => new PatroniMachine(number, join(folder, `db${number}`), net, fill),
  )
  let proxy: ChildProcess | undefined

  const remove = async () => {
    await endLeftover(folder)
    proxy?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    net.remove()
  }

  /** The machines, as the first Patroni that answers reports them; none while no Patroni answers. */
  const members = async (): Promise<Member[]> => {
    for (const machine of machines) {
      const found = await machine.membersOf()
      if (found !== undefined) return found
    }
    return []
  }
  const machineOf = (name: string) => machines.find((machine) => machine.name === name)!
  const findPrimary = async () => {
    const leader = (await members()).find(({ role, state }) => role === 'leader' && state === 'running')
    return leader && machineOf(leader.name)
  }
  /** Waits until one machine is the primary, and both others follow it, one of them synchronously. */
  const untilWhole = async (withinMs = 120_000) => {
    let found: Member[] = []
    for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(200)) {
      found = await members()
      const leader = found.find(({ role }) => role === 'leader')
      // A machine that was cut from the network may still show what it knew before.
      if (isWhole(found) && (await machineOf(leader!.name).isPrimary())) return machineOf(leader!.name)
    }
    throw new Error(`Not whole within ${withinMs} ms: ${JSON.stringify(found)}\n${await logs()}`)
  }
  const logs = async () => (await Promise.all(machines.map((machine) => machine.log()))).join('\n')
  /** An address of a database behind HAProxy, at the primary or at a standby. */
  const urlOf = (database: string, role: keyof typeof ports = 'primary') =>
    `postgres://zimmer:${password}@127.0.0.1:${ports[role]}/${database}`
  const makeDatabase = async (name: string) => {
    const primary = await untilWhole()
    await primary.ask('postgres', `create database ${name} owner zimmer`)
    return urlOf(name)
  }

  try {
    for (const machine of machines) {
      await mkdir(machine.folder)
      await machine.prepare()
      if (hasDisks) machine.mountDisk()
    }
    await writeFile(
      join(folder, 'haproxy.cfg'),
      fill(await readFile(join(deployFolder, 'haproxy.cfg'), 'utf8')),
    )
    await giveTo(folder, account)
    await Promise.all(machines.map((machine) => machine.startEtcd()))
    for (const machine of machines) await machine.startPatroni()
    proxy = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], {
      ...account,
      cwd: folder,
      env: programEnvironment,
      stdio: 'ignore',
    })
    while (!(await accepts(ports.primary))) {
      if (proxy.exitCode !== null) throw new Error('HAProxy did not start.')
      await delay(20)
    }
    const primary = await untilWhole()
    await primary.ask('postgres', `create role zimmer login password '${password}'`)
  } catch (error) {
    const said = await logs()
    await remove()
    throw new Error(said, { cause: error })
  }

  return { folder, machines, members, findPrimary, untilWhole, urlOf, makeDatabase, logs, remove }
}

function isWhole(members: Member[]) {
  const count = (role: Member['role']) => members.filter((member) => member.role === role).length
  return (
    members.length === 3 &&
    count('leader') === 1 &&
    count('sync_standby') === 1 &&
    members.every(({ state }) => state === 'running') &&
    new Set(members.map(({ timeline }) => timeline)).size === 1
  )
}

interface Places {
  net: Network
  password: string
  ports: Record<'primary' | 'standby', number>
}

/** Replaces the addresses and the passwords of the deploy files. */
function fillIn(text: string, { net, password, ports }: Places) {
  return text
    .replaceAll('127.0.0.1:5000', `127.0.0.1:${ports.primary}`)
    .replaceAll('127.0.0.1:5001', `127.0.0.1:${ports.standby}`)
    .replaceAll('10.0.0.0/24', net.range)
    .replaceAll(/10\.0\.0\.1([123]):5432 check port 8008/g, (_, machine: string) => {
      const [postgres, patroni] = [5432, 8008].map((each) => net.placeOf(Number(machine), each))
      return `${postgres} check port ${patroni!.split(':')[1]}`
    })
    .replaceAll(/10\.0\.0\.1([123]):(\d+)/g, (_, machine: string, each: string) =>
      net.placeOf(Number(machine), Number(each)),
    )
    .replaceAll(/PASSWORD-OF-[A-Z]+/g, password)
}

class PatroniMachine {
  readonly name: string
  readonly number: number
  readonly folder: string
  readonly #net: Network
  readonly #fill: (text: string) => string

  constructor(number: number, folder: string, net: Network, fill: (text: string) => string) {
    this.name = `db${number}`
    this.number = number
    this.folder = folder
    this.#net = net
    this.#fill = fill
  }

  get configuration(): string {
    return join(this.folder, 'patroni.yml')
  }

  get #disk(): string {
    return join(this.folder, 'disk')
  }

  mountDisk() {
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'zimmer-test', this.#disk])
    if (status !== 0) throw new Error(String(stderr))
  }

  /** Fills the disk of Postgres to the last block. */
  async fillDisk() {
    const program = spawn('dd', ['if=/dev/zero', `of=${join(this.#disk, 'filler')}`, 'bs=4k'], {
      stdio: 'ignore',
    })
    await once(program, 'exit')
  }

  freeDisk = () => rm(join(this.#disk, 'filler'))

  async prepare() {
    for (const name of ['etcd', 'patroni', 'run', 'disk']) await mkdir(join(this.folder, name))
    for (const name of ['patroni.yml', 'etcd.default']) {
      const text = await readFile(join(deployFolder, name), 'utf8')
      await writeFile(join(this.folder, name), this.#fill(this.#ofThisMachine(text)))
    }
  }

  /** What the first lines of both files tell the operator to change on db2 and db3, and the folders of this test. */
  #ofThisMachine(text: string) {
    return text
      .replaceAll(/^(name: |ETCD_NAME=)db1$/gm, `$1${this.name}`)
      .replaceAll(/^(?!ETCD_INITIAL_CLUSTER=).*$/gm, (line) =>
        line.replaceAll('10.0.0.11', `10.0.0.1${this.number}`),
      )
      .replace('/var/lib/etcd/default', join(this.folder, 'etcd/data'))
      .replace('/var/lib/postgresql/15/zimmer', join(this.#disk, 'data'))
      .replace('/var/lib/postgresql/.pgpass-patroni', join(this.folder, 'pgpass'))
      .replace('/var/run/postgresql', join(this.folder, 'run'))
  }

  async startEtcd() {
    await this.#startEtcd()
    await this.untilEtcdKnows()
  }

  /** Patroni ends when it asks an etcd that does not know its version yet. systemd would start it again. */
  async untilEtcdKnows() {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await delay(100)) {
      const answer = await askJson<{ etcdcluster: string }>(
        `http://${this.#net.placeOf(this.number, 2379)}/version`,
      )
      if (answer !== undefined && answer.etcdcluster !== 'not_decided') return
    }
    throw new Error(`etcd of ${this.name} did not start.\n${await this.log()}`)
  }

  async #startEtcd() {
    const text = await readFile(join(this.folder, 'etcd.default'), 'utf8')
    const settings = [...text.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!])
    await this.#start('etcd', ['etcd'], Object.fromEntries(settings) as Record<string, string>)
  }

  startPatroni = () => this.#start('patroni', ['patroni', this.configuration])

  /** Starts a program in a folder of its own, by which `processesIn` finds it. */
  async #start(name: string, command: string[], settings: Record<string, string> = {}) {
    const log = await open(join(this.folder, `${name}.log`), 'a')
    const [program, ...args] = [...this.#net.enter(this.number), ...asAccount, ...command]
    const child = spawn(program!, args, {
      cwd: join(this.folder, name),
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: this.folder, TZ: 'UTC', ...settings },
      // Ctrl-C must not end it before the tests, which end it themselves.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await once(child, 'spawn')
    child.unref()
    await log.close()
  }

  /** As when the power fails. */
  kill = () => signalAll(this.folder, 'SIGKILL')

  freeze = () => signalAll(this.folder, 'SIGSTOP')

  wake = () => signalAll(this.folder, 'SIGCONT')

  killEtcd = () => signalAll(join(this.folder, 'etcd'), 'SIGKILL')

  /** Starts what runs on the machine, as its init system does. */
  async start() {
    await this.startEtcd()
    await this.startPatroni()
  }

  cut = () => this.#net.cut(this.number)

  mend = () => this.#net.mend(this.number)

  /** What Patroni of this machine says of all machines; undefined when it does not answer. */
  async membersOf(): Promise<Member[] | undefined> {
    const answer = await askJson<{ members: Member[] }>(
      `http://${this.#net.placeOf(this.number, 8008)}/cluster`,
    )
    return answer?.members
  }

  /** Connects to Postgres on the machine itself, past HAProxy and past every cable. The caller ends the connection. */
  async connect(database: string, user = 'postgres'): Promise<Client> {
    const password = /password: (\w{32})/.exec(await readFile(this.configuration, 'utf8'))![1]!
    const port = Number(this.#net.placeOf(this.number, 5432).split(':')[1])
    const client = new Client({ host: join(this.folder, 'run'), port, user, password, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async ask<Row extends object>(database: string, query: string): Promise<Row[]> {
    const client = await this.connect(database)
    try {
      return (await client.query<Row>(query)).rows
    } finally {
      await client.end()
    }
  }

  /** Whether changes can be made at this machine. */
  async isPrimary(): Promise<boolean> {
    try {
      const [row] = await this.ask<{ isStandby: boolean }>(
        'postgres',
        'select pg_is_in_recovery() as "isStandby"',
      )
      return !row!.isStandby
    } catch {
      return false
    }
  }

  async switchOverTo(candidate: PatroniMachine) {
    const args = ['--leader', this.name, '--candidate', candidate.name, '--force']
    await promisify(execFile)('patronictl', ['-c', this.configuration, 'switchover', ...args])
  }

  /** The last lines of its programs. */
  async log(): Promise<string> {
    const texts = ['patroni', 'etcd'].map(async (name) => {
      const text = await readFile(join(this.folder, `${name}.log`), 'utf8').catch(() => '')
      return [`--- ${this.name} ${name}`, ...text.split('\n').slice(-25)]
    })
    return (await Promise.all(texts)).flat().join('\n')
  }
}

async function askJson<Answer>(url: string): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) })
    return (await answer.json()) as Answer
  } catch {
    return undefined
  }
}

async function endLeftover(folder: string) {
  signalAll(folder, 'SIGKILL')
  while (processesIn(folder).length > 0) await delay(20)
  for (const name of await readdir(folder)) spawnSync('umount', [join(folder, name, 'disk')])
}
