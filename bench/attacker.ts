import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** One attacker. All its requests come from one address behind the proxy. */
export type Attack =
  | { kind: 'bodies'; path: string; bodies: string[] }
  | { kind: 'reads'; paths: string[]; callers: number; cookie?: string }
  /** Changes of one row by one person, each with a key of its own and from one of 250 addresses. */
  | { kind: 'changes'; path: string; body: string; callers: number; cookie: string }
  | { kind: 'slow bodies'; path: string; sockets: number; cookie: string }
  | { kind: 'slow readers'; path: string; sockets: number; cookie: string }
  /** Sockets that never finish their headers. One that the server closes is opened again. */
  | { kind: 'slow headers'; sockets: number }
  /** Live streams of a room that nobody reads, while a member writes passages. */
  | { kind: 'unread streams'; path: string; sockets: number; passages: { path: string; cookie: string } }

type SlowAttack = Extract<Attack, { sockets: number }>

export interface Order {
  url: string
  attack: Attack
  forMs: number
  /** The address of the attacker, as a proxy on this machine forwards it. */
  address: string
}

let address = ''
const agent = new Agent({ keepAlive: true })

process.on('message', (order: Order) => {
  void run(order).then((statuses) => process.send!(statuses))
})

/** Returns how often each status was answered. */
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
  } else if (attack.kind === 'changes') {
    const { path, body, callers, cookie } = attack
    let n = 0
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() < until) {
          address = `203.0.113.${n++ % 250}`
          count(await send(url + path, 'POST', body, cookie, { 'idempotency-key': `${forMs}-${n}` }))
        }
      }),
    )
  } else if (attack.kind === 'slow headers' || attack.kind === 'unread streams') {
    const sockets = Array.from({ length: attack.sockets }, () => open(url, attack, count))
    let reopened = 0
    while (performance.now() < until) {
      if (attack.kind === 'slow headers') {
        for (const [n, socket] of sockets.entries()) {
          if (socket.destroyed) {
            reopened++
            sockets[n] = open(url, attack, count)
          } else if (socket.writable) socket.write('x')
        }
      } else {
        const { path, cookie } = attack.passages
        const body = JSON.stringify({ content: 'It rained all night. '.repeat(200) })
        for (let n = 0; n < 10; n++) count(await send(url + path, 'POST', body, cookie))
      }
      await wait(1000)
    }
    count(`opened again: ${reopened}`)
    for (const socket of sockets) socket.destroy()
  } else {
    const sockets = Array.from({ length: attack.sockets }, () => open(url, attack, count))
    while (performance.now() < until) {
      // One byte a second keeps the body unfinished.
      if (attack.kind === 'slow bodies') for (const socket of sockets) if (socket.writable) socket.write(' ')
      await wait(1000)
    }
    count(`open at the end: ${sockets.filter((socket) => !socket.destroyed).length}`)
    for (const socket of sockets) socket.destroy()
  }
  return statuses
}

function send(url: string, method: string, body?: string, cookie?: string, more = {}) {
  return new Promise<number | string>((resolve) => {
    const headers = {
      'x-forwarded-for': address,
      'accept-encoding': 'gzip',
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    }
    const call = request(url, { method, agent, headers }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0))
    })
    call.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? 'error'))
    call.end(body)
  })
}

/** A connection whose body never ends, or that requests an answer and never reads it. */
function open(url: string, attack: SlowAttack, count: (status: string) => void): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const isBody = attack.kind === 'slow bodies'
  const hasHead = attack.kind !== 'slow headers'
  const lines = [
    `${isBody ? 'POST' : 'GET'} ${hasHead ? attack.path : '/'} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `x-forwarded-for: ${address}`,
    ...(isBody ? ['content-type: application/json', 'content-length: 60000'] : []),
    ...('cookie' in attack ? [`cookie: ${attack.cookie}`] : []),
    ...(hasHead ? ['', ''] : ['x-slow: x']),
  ]
  socket.once('error', (error) => count((error as NodeJS.ErrnoException).code ?? 'error'))
  socket.write(lines.join('\r\n'))
  // The answer to a slow reader stays in the socket.
  if (isBody) socket.once('data', (answer) => count(answer.toString().split(' ')[1] ?? '?'))
  else if (hasHead) socket.pause()
  else socket.resume()
  return socket
}
