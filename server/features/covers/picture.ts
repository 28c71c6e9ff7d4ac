import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mebibyte } from '#server/platform/memory.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { Encoding, Format } from './encoding.ts'

/** The format of a file by its first bytes; undefined for all but the formats that are taken. */
export async function formatOf(path: string): Promise<Format | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
    const start = buffer.toString('latin1', 0, bytesRead)
    if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
    if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
    if (/^RIFF.{4}WEBP$/s.test(start)) return 'webp'
    return /^.{4}ftypavif$/s.test(start) ? 'avif' : undefined
  } finally {
    await file.close()
  }
}

const maxCoverBytes = 8 * mebibyte

interface Bounds {
  timeMs: number
  memory: number
}

// Node alone reserves some 600 MiB of the memory, and uses little of it.
const enough: Bounds = { timeMs: 20_000, memory: 1280 * mebibyte }

/**
 * Runs a command with bounded memory. When the memory of the machine is used up, Linux ends this process before the
 * database and the server.
 */
const bounded = ({ memory }: Bounds) =>
  `echo 1000 >/proc/self/oom_score_adj; ulimit -d ${memory / 1024} && exec "$@"`

const inTurn = createSemaphore({ atOnce: 1, maxWaiting: 4 })

/**
 * Encodes a picture as a cover, in a process without settings and secrets of the server. Undefined for a picture that is
 * damaged, or takes too long or too much memory; `onFailure` gets the message of the process.
 */
export function encodeCover(
  path: string,
  format: Format,
  onFailure: (message: string) => void = () => {},
  bounds = enough,
) {
  const node = [process.execPath, '--max-old-space-size=64', join(import.meta.dirname, 'encode.ts')]
  const command = process.platform === 'linux' ? ['/bin/sh', '-c', bounded(bounds), 'sh', ...node] : node
  return inTurn(async (): Promise<{ encoding: Encoding; cover: Buffer } | undefined> => {
    const { stdout } = await run(command[0]!, [...command.slice(1), path, format], {
      encoding: 'buffer',
      env: { UV_THREADPOOL_SIZE: '1' },
      killSignal: 'SIGKILL',
      maxBuffer: maxCoverBytes,
      timeout: bounds.timeMs,
    }).catch(({ message }: Error) => {
      onFailure(message)
      return { stdout: Buffer.alloc(0) }
    })
    const end = stdout.indexOf('\n')
    if (end === -1) return undefined
    return { encoding: JSON.parse(stdout.toString('utf8', 0, end)), cover: stdout.subarray(end + 1) }
  })
}

const run = promisify(execFile)
