import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const roomForAll = 2 * 1024 ** 3

/**
 * The folder for databases that nobody keeps. Each test makes one of 300 files, which takes a tenth of the time in
 * memory; containers often have too little of it there.
 */
export async function throwawayFolder(): Promise<string> {
  try {
    await access(memory, constants.W_OK)
    const { bavail, bsize } = await statfs(memory)
    return bavail * bsize > roomForAll ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
