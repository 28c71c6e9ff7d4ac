import { spawnSync } from 'node:child_process'
import { freePort } from '../../scripts/testing/ports.ts'

/** Machines by number, 1 to 3. */
export interface Network {
  /** The address and port at which the port of a machine of the deploy files is found. */
  placeOf(machine: number, port: number): string
  /** The addresses that Postgres lets in. */
  range: string
  /** What a command begins with that runs on the machine. */
  enter(machine: number): string[]
  /** Takes the cable out of the machine, or puts it in again. */
  cut(machine: number): void
  mend(machine: number): void
  remove(): void
}

const ports = [2379, 2380, 5432, 8008]
const machines = [1, 2, 3]

/** All machines on the loopback, each on ports of its own. */
export async function openLoopback(): Promise<Network> {
  const found = new Map<string, number>()
  for (const machine of machines)
    for (const port of ports) found.set(`${machine}:${port}`, await otherPort(found))
  const cannotCut = () => {
    throw new Error('The loopback cannot be cut.')
  }
  return {
    placeOf: (machine, port) => `127.0.0.1:${found.get(`${machine}:${port}`)}`,
    range: '127.0.0.0/8',
    enter: () => [],
    cut: cannotCut,
    mend: cannotCut,
    remove: () => {},
  }
}

async function otherPort(taken: ReadonlyMap<string, number>): Promise<number> {
  const port = await freePort()
  return [...taken.values()].includes(port) ? otherPort(taken) : port
}

const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' })

function mustIp(...args: string[]) {
  const { status, stderr } = ip(...args)
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

/** Each machine in a network namespace of its own, on one switch. Undefined where this account may not make them. */
export function openNamespaces(): Network | undefined {
  const mark = `zf${process.pid % 10_000}`
  const base = `10.${200 + (process.pid % 50)}.${process.pid % 250}`
  const nameOf = (machine: number) => `${mark}-${machine}`
  if (ip('netns', 'add', nameOf(1)).status !== 0) return undefined
  const remove = () => {
    for (const machine of machines) ip('netns', 'del', nameOf(machine))
    ip('link', 'del', mark)
  }
  try {
    mustIp('link', 'add', mark, 'type', 'bridge')
    mustIp('addr', 'add', `${base}.1/24`, 'dev', mark)
    mustIp('link', 'set', mark, 'up')
    for (const machine of machines) {
      const name = nameOf(machine)
      if (machine > 1) mustIp('netns', 'add', name)
      mustIp('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
      mustIp('link', 'set', name, 'master', mark, 'up')
      mustIp('-n', name, 'addr', 'add', `${base}.1${machine}/24`, 'dev', 'eth0')
      mustIp('-n', name, 'link', 'set', 'lo', 'up')
      mustIp('-n', name, 'link', 'set', 'eth0', 'up')
    }
  } catch (error) {
    remove()
    throw error
  }
  return {
    placeOf: (machine, port) => `${base}.1${machine}:${port}`,
    range: `${base}.0/24`,
    enter: (machine) => ['ip', 'netns', 'exec', nameOf(machine)],
    cut: (machine) => mustIp('link', 'set', nameOf(machine), 'down'),
    mend: (machine) => mustIp('link', 'set', nameOf(machine), 'up'),
    remove,
  }
}
