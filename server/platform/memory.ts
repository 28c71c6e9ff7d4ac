import { totalmem } from 'node:os'

export const mebibyte = 1024 * 1024

/** The bytes that this process may use: those of its container, or of the machine. */
export const memoryLimit = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** A part of the memory in whole bytes, within fixed bounds (R24). */
export const memoryShare = (
  part: number,
  { min, max }: { min: number; max: number },
  memory = memoryLimit(),
): number => Math.min(max, Math.max(min, Math.floor(memory * part)))
