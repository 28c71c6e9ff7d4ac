import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { coverOf } from '#contract/covers/paths.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { login } from '#contract/account/endpoints.ts'
import { uploadIssue } from '#contract/magazine/endpoints.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { connectToDatabase, rounds, startInstance } from './instance.ts'

const content = `%PDF-1.7\n${'A long night. '.repeat(100_000)}\n%%EOF\n`

/** Sends a file. Answers its address, or undefined when the server was killed before it answered. */
async function upload(who: HttpClient, path: string, field: string, file: File): Promise<string | undefined> {
  const form = new FormData()
  form.append(field, file)
  const sent = { method: 'POST', headers: { cookie: who.cookie }, body: form }
  const answer = await fetch(`${who.url}${path}`, sent).catch(() => undefined)
  if (answer?.status !== 201) return undefined
  const text = await answer.text().catch(() => '')
  return text.endsWith('}') ? Object.values(JSON.parse(text) as Record<string, string>)[0] : undefined
}

const uploadPdf = (who: HttpClient) =>
  upload(who, uploadIssue.path, 'litmag', new File([content], 'issue.pdf', { type: 'application/pdf' }))

test('a server killed while admins upload keeps every acknowledged issue; each row has its complete file, and no incomplete file stays [S34 R2]', async () => {
  const instance = await startInstance({ RATE_LIMITS: 'off' })
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const admin = instance.client()
    await admin.does(login, { input: administrator })
    let isOver = false
    const writers = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const url = await uploadPdf(admin)
        if (url !== undefined) acknowledged.push(url)
      }
    })
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 1)
    isOver = true
    await instance.server.end('SIGKILL')
    await Promise.all(writers)
    await instance.startAgain()
    const arriving = join(instance.dataDir, 'uploads/arriving')
    expect(await readdir(arriving)).toEqual([])
    const stored = await readdir(join(instance.dataDir, 'uploads/magazine'))
    const ids = await idsIn(instance.dataDir, 'magazine_issues')
    expect(stored).toEqual(expect.arrayContaining(ids.map((id) => `${id}.pdf`)))
    const newest = acknowledged.slice(-10)
    for (const url of newest) {
      const answer = await fetch(`${instance.server.url}${url}`)
      expect([answer.status, (await answer.text()) === content]).toEqual([200, true])
    }
    const { url } = (await (await fetch(`${instance.server.url}/api/litmag`)).json()) as { url: string }
    expect(await (await fetch(`${instance.server.url}${url}`)).text()).toBe(content)
  }
})

test('a server killed while it encodes covers keeps every acknowledged one whole, and no process and no half file stays behind [S34 R2]', async () => {
  const instance = await startInstance({ RATE_LIMITS: 'off' })
  const large = sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#c33' } })
  const picture = new File([new Uint8Array(await large.jpeg().toBuffer())], 'a.jpg', { type: 'image/jpeg' })
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const admin = instance.client()
    await admin.does(login, { input: administrator })
    const first = await upload(admin, uploadCover.path, 'cover', picture)
    acknowledged.push(first!)
    const unanswered = upload(admin, uploadCover.path, 'cover', picture)
    await expect.poll(() => isEncoding(instance.dataDir), { timeout: 30_000 }).toBe(true)
    await instance.server.end('SIGKILL')
    await expect.poll(() => isEncoding(instance.dataDir), { timeout: 10_000 }).toBe(false)
    const second = await unanswered
    if (second !== undefined) acknowledged.push(second)
    await instance.startAgain()
    expect(await readdir(join(instance.dataDir, 'uploads/arriving'))).toEqual([])
    const stored = await readdir(join(instance.dataDir, 'uploads/covers'))
    const ids = await idsIn(instance.dataDir, 'covers')
    expect(stored).toEqual(expect.arrayContaining(ids.map((id) => `${id}.webp`)))
    expect(ids).toEqual(expect.arrayContaining(acknowledged.map((url) => coverOf(url)!.id)))
    for (const url of acknowledged) {
      const served = Buffer.from(await (await fetch(`${instance.server.url}${url}`)).arrayBuffer())
      expect((await sharp(served).stats()).isOpaque).toBe(true)
    }
  }
})

/** Whether a process encodes a picture of this data folder. */
async function isEncoding(dataDir: string) {
  const commands = (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(commands)).some((each) => each.includes('encode.ts') && each.includes(dataDir))
}

async function idsIn(dataDir: string, table: 'covers' | 'magazine_issues'): Promise<string[]> {
  const db = await connectToDatabase(dataDir)
  try {
    const { rows } = await db.query<{ id: string }>(`select id from ${table}`)
    return rows.map(({ id }) => id)
  } finally {
    await db.end()
  }
}
