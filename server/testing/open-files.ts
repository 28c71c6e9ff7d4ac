import { readdir, readlink } from 'node:fs/promises'

/** Whether this process has the file open. Linux alone shows this; elsewhere the result is false. */
export async function isOpen(path: string): Promise<boolean> {
  const names = await readdir('/proc/self/fd').catch(() => [])
  const open = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return open.includes(path)
}
