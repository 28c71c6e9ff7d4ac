import { mkdtemp, readdir, rm, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileSystemTime } from './files.ts'

test('the file that shows the time of the file system has a name that backups leave out, and does not stay [R19 R20]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-age-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const changes = watch(folder)[Symbol.asyncIterator]()
  const first = changes.next()
  await fileSystemTime(folder)
  expect((await first).value?.filename).toMatch(/\.part$/)
  await changes.return?.()
  expect(await readdir(folder)).toEqual([])
})
