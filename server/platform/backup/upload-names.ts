import { join } from 'node:path'
import { unfinished } from '../files.ts'

export const uploadsFolder = 'uploads'

export const uploadsOf = (dataDir: string): string => join(dataDir, uploadsFolder)

/**
 * The folder of files that are not complete. It is on the disk where the files stay, so that a rename can move them there. What
 * a killed process left in it is deleted (`purgeArriving`).
 */
export const arrivingOf = (dataDir: string): string => join(uploadsOf(dataDir), arrivingName)
export const arrivingName = 'arriving'

/** Holds the uploads of a restore that has not ended. It is in their folder, which may be a disk of its own. */
export const restoringName = '.restoring'

/** What is in the folder of the uploads without being one. A disk of its own may have a folder `lost+found`. */
export const notUploads: string[] = [restoringName, 'lost+found']

/** The longest name of a file, and of a path that leaves room for the path of the data folder, on common systems. */
const maxPartBytes = 255
const maxNameBytes = 2048

/** Whether a name can be appended to the path of a folder, and stays within that folder. */
export const isPlain = (name: string): boolean =>
  !/[\\\0]/.test(name) &&
  Buffer.byteLength(name) <= maxNameBytes &&
  name.split('/').every((part) => !['', '.', '..'].includes(part) && Buffer.byteLength(part) <= maxPartBytes)

/**
 * Why a backup takes no upload of this name, and a restore accepts none; undefined for the name of an upload. Names begin
 * with `uploads/`. Both ask this function, so that every backup can be restored (R29).
 */
export function nameFaultOf(name: string): string | undefined {
  if (!isPlain(name)) return 'odd name'
  if (notUploads.includes(name.split('/')[1]!)) return 'not an upload'
  if (name.endsWith(unfinished)) return 'not complete'
  return undefined
}
