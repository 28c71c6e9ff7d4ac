import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What one caller does to the server; all its requests come from one address behind the proxy. */
export type Attack =
  | { kind: 'bodies'; path: string; bodies: string[] }
  | { kind: 'reads'; paths: string[]; callers: number; cookie?: string }
  | { kind: 'slow bodies'; path: string; sockets: number; cookie: string }
  | { kind: 'slow readers'; path: string; sockets: number; cookie: string }

type SlowAttack = Extract<Attack, { kind: 'slow bodies' | 'slow readers' }>

export interface Order {
  url: string
  attack: Attack
  forMs: number
  /** Of the attacker, as a proxy on this machine names it. */
  address: string
}

let address = ''
const agent = new Agent({ keepAlive: true })

process.on('message', (order: Order) => {
  void run(order).then((statuses) => process.send!(statuses))
})

/** Answers how often each status came. */
async function run({ url, attack, forMs, ...from }: Order): Promise<Record<string, number>> {
  address = from.address
  const until = performance.now() + forMs
  const statuses: Record<string, number> = {}
  const count = (status: number | string) => void (statuses[status] = (statuses[status] ?? 0) + 1)
  if (attack.kind === 'bodies') {
    for (let n = 0; performance.now() < until; n++)
      count(await send(url + attack.path, 'POST', attack.bodies[n % attack.bodies.length]))
  } else if (attack.kind === 'reads') {
    const { paths, callers, cookie } = attack
    let n = 0
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() < until)
          count(await send(url + paths[n++ % paths.length]!, 'GET', undefined, cookie))
      }),
    )
  } else {
    const sockets = Array.from({ length: attack.sockets }, () => open(url, attack, count))
    while (performance.now() < until) {
      // One byte a second keeps a body arriving.
      if (attack.kind === 'slow bodies') for (const socket of sockets) if (socket.writable) socket.write(' ')
      await wait(1000)
    }
    count(`open at the end: ${sockets.filter((socket) => !socket.destroyed).length}`)
    for (const socket of sockets) socket.destroy()
  }
  return statuses
}

function send(address: string, method: string, body?: string, cookie?: string) {
  return new Promise<number | string>((resolve) => {
    const headers = {
      'x-forwarded-for': address,
      'accept-encoding': 'gzip',
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const call = request(address, { method, agent, headers }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0))
    })
    call.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? 'error'))
    call.end(body)
  })
}

/** A socket whose body never ends, or that asks for an answer and never reads it. */
function open(url: string, attack: SlowAttack, count: (status: string) => void): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const isBody = attack.kind === 'slow bodies'
  const lines = [
    `${isBody ? 'POST' : 'GET'} ${attack.path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `x-forwarded-for: ${address}`,
    ...(isBody ? ['content-type: application/json', 'content-length: 60000'] : []),
    `cookie: ${attack.cookie}`,
    '',
    '',
  ]
  socket.once('error', (error) => count((error as NodeJS.ErrnoException).code ?? 'error'))
  socket.write(lines.join('\r\n'))
  // What a slow reader asked for stays in the socket.
  if (isBody) socket.once('data', (answer) => count(answer.toString().split(' ')[1] ?? '?'))
  else socket.pause()
  return socket
}
