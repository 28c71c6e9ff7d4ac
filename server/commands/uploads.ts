import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import { allFileKinds } from '#server/features.ts'
import { guardBackupDisk } from '#server/platform/backup/archive.ts'
import { listFiles } from '#server/platform/backup/backup.ts'
import { arrivingOf, uploadsOf } from '#server/platform/backup/upload-names.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { unfinished } from '#server/platform/files.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'
import { openS3 } from '#server/platform/uploads/open-uploads.ts'
import { refuseForeignUploads } from '#server/platform/uploads/owner.ts'
import type { UploadStore } from '#server/platform/uploads/upload-store.ts'
import type { Place } from './place.ts'

/** The files that rows name. */
export async function listUploads(db: Db): Promise<string[]> {
  const files = allFileKinds.map(async ({ kind, extension, table }) => {
    const { rows } = await db.execute<{ id: string }>(sql`select id from ${sql.identifier(table)}`)
    return rows.map(({ id }) => `${kind}/${id}${extension}`)
  })
  return (await Promise.all(files)).flat()
}

export type Target = 's3' | 'folder'

/**
 * Copies every file that a row names to the other place, and compares size and checksum of both copies. It deletes nothing, and
 * may run again at any time.
 */
export async function copyUploads({ database, config }: Place, target: Target): Promise<string> {
  const s3 = openS3(config)
  if (s3 === undefined)
    throw new OperatorError(
      'Give this command UPLOADS_S3_ENDPOINT and the settings that belong to it. Nothing was copied.',
    )
  await refuseForeignUploads(database, s3)
  const folder = new FolderStore(uploadsOf(config.dataDir))
  const [from, to] = target === 's3' ? [folder, s3] : [s3, folder]
  const counts = { copied: 0, same: 0 }
  const missing: string[] = []
  for (const name of await listUploads(database)) {
    const [source, copy] = [await sumOf(from, name), await sumOf(to, name)]
    if (source === undefined && copy === undefined) missing.push(name)
    else if (source === undefined || source === copy) counts.same++
    else if (await copyFile({ from, to, name, folder: arrivingOf(config.dataDir) })) {
      if ((await sumOf(to, name)) !== source)
        throw new Error(`The copy of ${name} in the ${to.place} differs. Run the command again.`)
      counts.copied++
    }
  }
  // A row may have been deleted meanwhile, and its file with it.
  const named = new Set(await listUploads(database))
  const lost = missing.filter((name) => named.has(name))
  const done = `${counts.copied} files were copied into the ${to.place}, and ${counts.same} were there. Nothing was deleted.`
  if (lost.length === 0) return `${done} ${nextStep(target, from, counts.copied)}`
  const why = new Map(lost.map((name) => [name, `not in the ${from.place}`]))
  throw new Error(`${done} The database names files that are in neither place: ${listFiles(why)}.`)
}

/** What the operator does now. After a run that copies nothing, the files of the old place are not needed any more. */
function nextStep(target: Target, from: UploadStore, copied: number): string {
  const setting = `Start the servers ${target === 's3' ? 'with' : 'without'} UPLOADS_S3_…`
  // It copies what was uploaded meanwhile.
  if (copied > 0) return `${setting}, and run this command again with them.`
  const kinds = allFileKinds.map(({ kind }) => kind).join(' and ')
  return `${setting}. If they run so already, you may delete ${kinds} in the ${from.place}.`
}

interface Copied {
  from: UploadStore
  to: UploadStore
  name: string
  /** For a file that is not complete. */
  folder: string
}

/** False when the file is gone: its row was deleted meanwhile. */
async function copyFile({ from, to, name, folder }: Copied): Promise<boolean> {
  const opened = await from.read(name)
  if (opened === undefined) return false
  const path = join(folder, `${randomUUID()}${unfinished}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(opened.content, guardBackupDisk(folder), target)
    await to.keep(path, name)
    return true
  } finally {
    opened.content.destroy()
    await rm(path, { force: true })
  }
}

/** Size and checksum of a file; undefined when there is none. */
async function sumOf(store: UploadStore, name: string): Promise<string | undefined> {
  const opened = await store.read(name)
  if (opened === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of opened.content as AsyncIterable<Buffer>) hash.update(chunk)
  return `${opened.size} ${hash.digest('hex')}`
}
