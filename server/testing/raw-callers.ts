import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'

/** A connection on which a test writes its requests byte by byte. */
export interface RawCaller {
  socket: Socket
  /** All bytes of the answers, unless the caller reads nothing. */
  said: string
}

/** Opens a connection to the server at a URL and sends a text. The connection ends with the test. */
export async function openCaller(url: string, text = '', { reads = true } = {}): Promise<RawCaller> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const caller = { socket, said: '' }
  if (reads) socket.on('data', (chunk: Buffer) => (caller.said += chunk.toString()))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return caller
}

/** Opens a connection as `openCaller`, and again when the busy server refuses it. The answer then contains `wanted`. */
export async function openServedCaller(url: string, text: string, wanted: string): Promise<RawCaller> {
  for (const deadline = Date.now() + 60_000; ; await delay(1000)) {
    const caller = await openCaller(url, text)
    const isAnswered = () => caller.said.includes(wanted) || caller.said.startsWith('HTTP/1.1 503')
    await expect
      .poll(isAnswered, { interval: 5, timeout: 60_000, message: 'The server does not answer a caller.' })
      .toBe(true)
    if (caller.said.includes(wanted)) return caller
    caller.socket.destroy()
    if (Date.now() > deadline) throw new Error('The server refused a caller for 60 s.')
  }
}

/** The head of a POST whose body of this many bytes follows. */
export const headOfPost = (
  path: string,
  bytes: number,
  { type = 'application/json', cookie = '' }: { type?: string; cookie?: string } = {},
): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`

/** A submission of which only the first byte of the body arrives. */
export const unfinishedPost = `${headOfPost('/api/pending-posts', 60_000)}{`
