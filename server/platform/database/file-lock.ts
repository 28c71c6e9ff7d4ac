import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** Thrown when files cannot be locked here. The message says why. */
export class NoFileLock extends OperatorError {}

type LockKind = 'shared' | 'exclusive'

/**
 * Opens a file and takes the kernel's lock on it (flock); undefined while another process holds a conflicting lock.
 * The lock holds across containers. A child process that inherits the open file holds the lock as well. The lock ends with
 * the last process that has the file open.
 */
export async function lockFile(path: string, kind: LockKind): Promise<FileHandle | undefined> {
  const file = await openLocked(path, kind)
  if (file === undefined) return undefined
  try {
    // Give the file to the owner of the folder: root may run a command before the server starts.
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(dirname(path))
      await file.chown(uid, gid)
    }
    if (process.platform === 'darwin' || (await flock(file.fd, kind, path))) return file
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return undefined
}

/** macOS has no program `flock`, but can take the lock while it opens the file (O_SHLOCK and O_EXLOCK). */
const macFlags = { shared: 0x10, exclusive: 0x20 }

async function openLocked(path: string, kind: LockKind) {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = constants
  const flags = O_RDWR | O_CREAT | (process.platform === 'darwin' ? O_NONBLOCK | macFlags[kind] : 0)
  try {
    return await open(path, flags, 0o600)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return undefined
    throw unavailable(path, message)
  }
}

/** Node cannot lock a file, but the program `flock` locks the open file that it shares with this process. */
function flock(fd: number, kind: LockKind, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // File descriptor 3 is the last one of `stdio`.
    const child = spawn('flock', [`--${kind}`, '--nonblock', '3'], {
      // In a process group of its own, so that Ctrl-C does not end it.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', fd],
    })
    let complaint = ''
    child.stderr!.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', () =>
      reject(unavailable(path, 'the program flock of the package util-linux is missing')),
    )
    child.once('close', (code) => {
      if (code === 0 || code === 1) resolve(code === 0)
      else reject(unavailable(path, complaint.trim() || `flock ended with ${code}`))
    })
  })
}

function unavailable(path: string, reason: string) {
  return new NoFileLock(
    `The file ${path} cannot be locked (${reason}): without a lock two servers could write to one database. Set DATA_DIR to a folder on a disk of this machine, or DATABASE_URL to a Postgres server.`,
  )
}
