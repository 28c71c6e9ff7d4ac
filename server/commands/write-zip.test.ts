import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ByteFile } from '#contract/archive/add-manifest.ts'
import { writeZip } from './write-zip.ts'

test('a file that appears while an export is written stays, and the export leaves no other file [OWN-23]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-zip-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'ana.zip')
  async function* contentOf(text: string) {
    yield Buffer.from(text)
  }
  let inMeantime: string[] = []
  async function* files(): AsyncGenerator<ByteFile> {
    inMeantime = await readdir(folder)
    await writeFile(file, 'mine')
    yield { path: 'a.md', content: contentOf('Rain') }
  }
  const writing = writeZip(file, files(), new AbortController().signal)
  await expect(writing).rejects.toThrow(`There is a file ${file} already: name one that is not there.`)
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect(await readdir(folder)).toEqual(['ana.zip'])
  // The unfinished file was in the same folder: a link leads to no other disk.
  expect(inMeantime).toEqual([expect.stringMatching(/^ana\.zip\..*\.part$/)])
})
