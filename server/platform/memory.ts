import { totalmem } from 'node:os'

/** Bytes that this process may take: those of its container, or of the machine. */
export const memoryLimit = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

/** A part of that memory, within fixed bounds (R24). */
export const memoryShare = (part: number, { min, max }: { min: number; max: number }): number =>
  Math.min(max, Math.max(min, memoryLimit() * part))
