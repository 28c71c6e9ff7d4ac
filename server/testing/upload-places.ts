import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Config } from '#server/config.ts'
import { filesOf } from './backup-places.ts'
import { openS3Server, type S3Server } from './s3-server.ts'

/** Where an instance of a test stores its uploads, as the test sees it. Names begin after `uploads/`. */
export interface UploadPlace {
  /** The files by name, with their bytes as latin1. */
  files: () => Promise<Record<string, string>>
  put: (name: string, content: string) => Promise<void>
  remove: (name: string) => Promise<void>
  /** Lets hours pass for a file. */
  age: (name: string) => Promise<void>
}

let isInS3 = false

/** The tests that follow store uploads in an S3 service. */
export const storeUploadsInS3 = (): void => void (isInS3 = true)

export const storeUploadsInFolder = (): void => void (isInS3 = false)

/** For tests of what only files in a folder can do. */
export const uploadsAreInS3 = (): boolean => isInS3

/** The place of the uploads of one test, and the settings for it. */
export async function openUploadPlace(): Promise<{
  config: Partial<Config>
  placeOf: (dataDir: string) => UploadPlace
}> {
  if (!isInS3) return { config: {}, placeOf: (dataDir) => folderPlace(join(dataDir, 'uploads')) }
  const s3 = await openS3Server()
  onTestFinished(s3.close)
  return { config: s3.config, placeOf: () => s3Place(s3) }
}

function folderPlace(folder: string): UploadPlace {
  const pathOf = (name: string) => join(folder, name)
  return {
    files: () => filesOf(folder),
    put: async (name, content) => {
      await mkdir(dirname(pathOf(name)), { recursive: true })
      await writeFile(pathOf(name), content)
    },
    remove: (name) => rm(pathOf(name)),
    age: async (name) => {
      await stat(pathOf(name))
      await utimes(pathOf(name), 0, 0)
    },
  }
}

export function s3Place({ objects }: Pick<S3Server, 'objects'>): UploadPlace {
  return {
    files: async () => {
      const named = [...objects].filter(([name]) => !name.startsWith('.zimmer/'))
      return Object.fromEntries(
        named.map(([name, { content }]) => [name, (content as Buffer).toString('latin1')]).toSorted(),
      )
    },
    put: async (name, content) => {
      objects.set(name, { content: Buffer.from(content), size: content.length, modifiedMs: Date.now() })
    },
    remove: async (name) => void objects.delete(name),
    age: async (name) => {
      objects.get(name)!.modifiedMs = 0
      // A purge has found the file without a row.
      const mark = objects.get(`.zimmer/unused/${name}`)
      if (mark !== undefined) mark.modifiedMs = 0
    },
  }
}
