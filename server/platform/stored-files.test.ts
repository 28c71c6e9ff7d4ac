import { mkdir, mkdtemp, rm, watch, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { issueFiles } from '#server/features/magazine/schema.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { StoredFiles } from './stored-files.ts'
import { FolderStore } from './uploads/folder-store.ts'

test('only complete files are ever in the folder of stored files, so a kill leaves no other there [R2 R20]', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'zimmer-files-'))
  const stopped = new AbortController()
  onTestFinished(async () => {
    stopped.abort()
    await rm(dataDir, { recursive: true })
  })
  const { db } = await startTestApp()
  const id = '01976000-0000-7000-8000-000000000001'
  const store = new FolderStore(join(dataDir, 'uploads'))
  const files = new StoredFiles(store, issueFiles)
  const path = store.pathOf(files.nameOf(id))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'a magazine')
  const changes = watch(dirname(path), { signal: stopped.signal })
  const names = changes[Symbol.asyncIterator]()
  const first = names.next()

  await files.removeUnused(db, stopped.signal)
  await files.delayRemoval([id])
  expect((await first).value?.filename).toBe(`${id}.pdf`)
})
