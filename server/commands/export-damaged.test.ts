import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { createDocument } from '#contract/documents/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { exportArchive } from './export.ts'

async function start() {
  const t = await startTestApp({
    config: { diaryKey: 'a1'.repeat(32), limitsRates: false, logLevel: 'silent' },
  })
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-export-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const ana = await t.person({ email: 'ana@example.org' })
  const exportedFiles = async () => {
    const file = join(folder, 'ana.zip')
    const place = { ...t, connection: {}, database: t.db, random: systemRandom }
    await exportArchive(place, { email: 'ana@example.org', file }, new AbortController().signal)
    return unzipSync(await readFile(file))
  }
  return { ...t, ana, exportedFiles }
}

const damagedContent = sql`content = set_byte(content, 30, 255 - get_byte(content, 30))`

test('an export leaves out a damaged document, and has everything else [OWN-06 S44]', async () => {
  const { ana, db, exportedFiles } = await start()
  const keep = (title: string) =>
    ana.does(createDocument, { input: { source: 'Ghost', title, content: `${title}\n\nIt was deep.` } })
  const damaged = await keep('The well')
  const whole = await keep('The lamp')
  await db.execute(sql`update documents set ${damagedContent} where id = ${damaged.id}`)
  const before = await contentOf(db)
  const paths = Object.keys(await exportedFiles())
  expect(paths.filter((path) => path.startsWith('documents/'))).toEqual([`documents/${whole.id}.md`])
  expect(await contentOf(db)).toEqual(before)
})

test('an export has the older messages of a conversation whose newest messages are damaged [OWN-06 S44]', async () => {
  const { ana, db, person, exportedFiles } = await start()
  const ben = await person()
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await ben.does(addFriend, { input: { friendUserId: ana.me.id } })
  const sent = []
  // An answer has at most half a megabyte: the newest 27 messages.
  for (let n = 0; n < 30; n++) {
    const content = `${n} ${'🌒'.repeat(4900)}`
    sent.push(await ana.does(sendMessage, { input: { receiverId: ben.me.id, messageType: 'text', content } }))
  }
  await db.execute(
    sql`update direct_messages set ${damagedContent} where id not in (${sent[0]!.id}, ${sent[1]!.id})`,
  )
  const files = await exportedFiles()
  const json = Buffer.from(files[`messages/${ben.me.id}.json`]!).toString()
  expect(JSON.parse(json)).toEqual(sent.slice(0, 2))
})
