import { link, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { ByteFile } from '#contract/archive/add-manifest.ts'
import { guardDiskSpace } from '#server/platform/disk.ts'
import { exists, openUnfinished, syncFolder } from '#server/platform/files.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/**
 * Writes files into a ZIP that only its owner may read, one after the other, and returns their number. It refuses a file
 * that is there. After a failure there is no file.
 */
export async function writeZip(
  file: string,
  files: AsyncIterable<ByteFile>,
  signal: AbortSignal,
): Promise<number> {
  if (await exists(file)) throw existingFileError(file)
  const { part, handle } = await openUnfinished(file)
  try {
    const zip = new ZipFile()
    const source = zip.outputStream as Readable
    // A failure of the files ends the ZIP, and so the pipeline throws it.
    zip.on('error', (error) => source.destroy(error))
    const count = addAll(zip, files)
    count.catch((error: Error) => source.destroy(error))
    const guard = guardDiskSpace(dirname(file), () => new OperatorError(diskIsFull(file)))
    await pipeline(source, guard, handle.createWriteStream({ flush: true }), { signal })
    await putInPlace(part, file)
    await syncFolder(dirname(file))
    return await count
  } catch (error) {
    await handle.close()
    await rm(part, { force: true })
    throw error
  }
}

const existingFileError = (file: string) =>
  new OperatorError(`There is a file ${file} already: name one that is not there.`)

/** Gives a file its name. A rename would replace a file that appeared meanwhile, and a link is refused. */
async function putInPlace(part: string, file: string): Promise<void> {
  await link(part, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? existingFileError(file) : error
  })
  await rm(part)
}

const diskIsFull = (file: string) =>
  `The disk of ${dirname(file)} has no room for the export: its last space is kept for the database. Nothing was kept of it.`

async function addAll(zip: ZipFile, files: AsyncIterable<ByteFile>): Promise<number> {
  let count = 0
  for await (const { path, content } of files) {
    // The ZIP keeps its streams until its end: this one keeps nothing of the content.
    const source = new PassThrough()
    zip.addReadStream(source, path, { mode: 0o100600 })
    await pipeline(content, source)
    count++
  }
  zip.end()
  return count
}
