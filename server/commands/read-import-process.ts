// Runs in a process of its own, because V8 may abort the process of a file that needs too much memory (S58).
import { openAsBlob } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { ImportedFile } from '#contract/imports/entry.ts'
import { ImportRefused, readImport } from '#contract/imports/read-import.ts'
import { sentenceOf } from '#server/platform/describe-error.ts'
import { endWithParent } from '#server/platform/end-with-parent.ts'

export type FromImportProcess = { file: ImportedFile } | { refused: string }

endWithParent()

const filesMax = 100_000

async function read(path: string): Promise<ImportedFile> {
  const found = await stat(path)
  if (!found.isDirectory()) return readImport([{ name: basename(path), blob: await openAsBlob(path) }])
  const paths = await Array.fromAsync(filesIn(path))
  const files = paths
    .toSorted()
    .map(async (file) => ({ name: relative(path, file), blob: await openAsBlob(file) }))
  return readImport(await Promise.all(files))
}

/** Links are left out: they may lead out of the folder. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  let count = 0
  const folders = [folder]
  for (const each of folders)
    for (const entry of await readdir(each, { withFileTypes: true })) {
      const path = join(each, entry.name)
      if (entry.isDirectory()) folders.push(path)
      if (entry.isFile()) yield path
      if (++count > filesMax) throw new ImportRefused(`${folder} has more than ${filesMax} files.`)
    }
}

const answer = await read(process.argv[2]!).then(
  (file): FromImportProcess => ({ file }),
  (error: unknown): FromImportProcess => ({ refused: sentenceOf(error) }),
)
process.send!(answer)
