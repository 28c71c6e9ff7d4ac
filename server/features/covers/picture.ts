import { execFile, type ExecFileException } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unavailable } from '#server/platform/http/refusal.ts'
import { mebibyte } from '#server/platform/memory.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { Encoding, Format } from './encoding.ts'

/** The format of a file by its first bytes; undefined for a format that is not accepted. */
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
  memoryBytes: number
}

/**
 * An AVIF of 50 million pixels needs some 900 MiB. Node alone reserves some 600 MiB, and uses little of that; a reservation
 * counts as well.
 */
const enough: Bounds = { timeMs: 20_000, memoryBytes: 1536 * mebibyte }

/** The shell could not start the encoder with its bounds. The shell itself uses 126 and 127. */
const startErrors = new Set([125, 126, 127])

/**
 * A shell script that runs a command with bounded memory. When the memory of the machine is used up, Linux ends this process
 * before the database and the server.
 */
const boundedScript = ({ memoryBytes }: Bounds) =>
  `echo 1000 >/proc/self/oom_score_adj; ulimit -d ${memoryBytes / 1024} || exit 125; exec "$@"`

const inTurn = createSemaphore({ atOnce: 1, maxWaiting: 4 })

/**
 * Encodes a picture as a cover, in a process of its own. Its environment has no settings of the server; it is the same user
 * of the system, without a sandbox. Undefined for a picture that is damaged, or takes too long or too much memory;
 * `onFailure` gets the message of the process. Refuses the call when the process could not start, or Linux ended it because
 * the machine has no memory left.
 */
export function encodeCover(
  path: string,
  format: Format,
  onFailure: (message: string) => void = () => {},
  bounds = enough,
) {
  const node = [process.execPath, '--max-old-space-size=64', join(import.meta.dirname, 'encode.ts')]
  const command =
    process.platform === 'linux' ? ['/bin/sh', '-c', boundedScript(bounds), 'sh', ...node] : node
  return inTurn(async (): Promise<{ encoding: Encoding; cover: Buffer } | undefined> => {
    // `run` throws some errors of the start, such as too little memory, before it returns a promise.
    const encoded = Promise.try(() =>
      run(command[0]!, [...command.slice(1), path, format], {
        encoding: 'buffer',
        env: { UV_THREADPOOL_SIZE: '1' },
        killSignal: 'SIGKILL',
        maxBuffer: maxCoverBytes,
        timeout: bounds.timeMs,
      }),
    )
    const { stdout } = await encoded.catch((error: ExecFileException) => {
      onFailure(error.message)
      if (isOfMachine(error)) throw unavailable()
      return { stdout: Buffer.alloc(0) }
    })
    const end = stdout.indexOf('\n')
    if (end === -1) return undefined
    return { encoding: JSON.parse(stdout.toString('utf8', 0, end)), cover: stdout.subarray(end + 1) }
  })
}

/** Whether the machine and not the picture is the cause. `killed` means that this process sent the signal. */
function isOfMachine({ code, errno, killed, signal }: ExecFileException & { errno?: number }): boolean {
  if (errno !== undefined || startErrors.has(Number(code))) return true
  return signal === 'SIGKILL' && killed !== true
}

const run = promisify(execFile)
