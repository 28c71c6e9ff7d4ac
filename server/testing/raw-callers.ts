import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

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

/** The head of a POST whose body of this many bytes follows. */
export const headOfPost = (
  path: string,
  bytes: number,
  { type = 'application/json', cookie = '' }: { type?: string; cookie?: string } = {},
): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`

/** A submission of which only the first byte of the body arrives. */
export const unfinishedPost = `${headOfPost('/api/pending-posts', 60_000)}{`
