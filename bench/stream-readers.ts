import { connect, type Socket } from 'node:net'
import { livePath } from '#contract/live/events.ts'

/** How many readers have received a passage, and when the last of them did, in milliseconds since the epoch. */
export interface Arrivals {
  count: number
  last: number
}

interface Task {
  url: string
  room: string
  cookies: string[]
}

// Readers that only count the passages that they receive.
const arrivals: Arrivals[] = []
let lost = 0
const atOnce = 50

process.on('message', (message: Task | 'tell') => {
  if (message === 'tell') process.send!({ arrivals, lost })
  else void openAll(message)
})

async function openAll({ url, room, cookies }: Task) {
  const start = performance.now()
  const left = cookies.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const cookie of left) await open(new URL(url), room, cookie)
    }),
  )
  process.send!(performance.now() - start)
}

/** Waits for `ready`. */
async function open({ hostname, port, host }: URL, room: string, cookie: string) {
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${livePath}?rooms=${room} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`)
  socket.on('close', () => lost++)
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('data', function wait(chunk: Buffer) {
      if (!chunk.includes('event: ready')) return
      socket.off('data', wait)
      listen(socket)
      resolve()
    })
  })
}

function listen(socket: Socket) {
  let line = 0
  socket.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(marker); at >= 0; at = chunk.indexOf(marker, at + marker.length)) {
      const arrival = (arrivals[line++] ??= { count: 0, last: 0 })
      arrival.count++
      arrival.last = performance.timeOrigin + performance.now()
    }
  })
}

const marker = Buffer.from('event: room.message')
