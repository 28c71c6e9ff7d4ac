import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { restoredCopyOf, startRestored } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { aPdf, formOf, pdfText } from '#server/testing/uploads.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'

test('the magazine of a restored instance has the same current issue, and readers download the same bytes [R19 S34]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const admin = await t.admin()
  const contents = ['first', 'second'].map((word) => pdfText.replace('obj', `obj % ${word}`))
  const urls: string[] = []
  for (const content of contents) {
    t.clock.advance(1000)
    const payload = formOf('litmag', aPdf(content))
    const answer = await admin.request({ method: 'POST', url: '/api/upload-litmag', payload })
    urls.push(answer.json<{ url: string }>().url)
  }
  const uploads = openUploads(t.config)
  // Another admin is uploading.
  await writeFile(join(t.config.dataDir, 'uploads/arriving/half.part'), '%PDF-')
  const copy = await restoredCopyOf(t, uploads)
  expect(Object.keys(await copy.uploaded()).toSorted()).toEqual(
    urls.map((url) => url.replace('/uploads/', '')).toSorted(),
  )
  const restored = await startRestored(copy)
  expect(await restored.visitor().does(getCurrentIssue)).toEqual({ url: urls[1] })
  for (const [number, url] of urls.entries())
    expect((await restored.request({ method: 'GET', url })).body).toBe(contents[number])
})

test('a backup goes on when an old issue is deleted between its listing and its reading [R19]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-magazine-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), name)
  const members = new FolderStore(folder).members(new Map())
  const first = (await members.next()).value?.name
  const others = ['uploads/a', 'uploads/b', 'uploads/c'].filter((name) => name !== first)
  await rm(join(folder, others[0]!.slice('uploads/'.length)))
  expect((await Array.fromAsync(members)).map(({ name }) => name)).toEqual([others[1]])
})
