import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { membersOf, ownMigrations, startBackups } from '#server/testing/backup-places.ts'
import { BackupRefused, type Member, readArchive, writeArchive } from './archive.ts'
import { checkBackup } from './restore.ts'

const here = startBackups()

test('restore refuses a damaged, cut or foreign file before it writes anything [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const whole = await readFile(here.file)
  const tar = zstdDecompressSync(whole)
  const bad = join(here.folder, 'bad.tar.zst')
  const place = await here.emptyPlace()
  const refused = async (content: Buffer) => {
    await writeFile(bad, content)
    await expect(place.restore(bad)).rejects.toThrow(
      /^bad\.tar\.zst is damaged or no backup: nothing was restored\.$/,
    )
  }
  for (let i = 0; i < 60; i++) {
    const damaged = Buffer.from(whole)
    const at = Math.floor((whole.length * i) / 60) + (i % 7)
    damaged[at] = damaged[at]! ^ (1 << (i % 8))
    if (!isWhole(damaged, tar)) await refused(damaged)
  }
  for (const length of [0, 1, 100, whole.length >> 1, whole.length - 5])
    await refused(whole.subarray(0, length))
  for (const bytes of ['junk', 'j'.repeat(1024 * 1024)])
    await refused(Buffer.concat([whole, Buffer.from(bytes)]))
  await refused(Buffer.from('a novel'))
  await expect(place.restore(join(here.folder, 'none'))).rejects.toThrow(/^There is no file /)
  expect([await place.content(), await place.uploaded()]).toEqual([{}, {}])
})

/** Some bits of the compression have no effect: the whole content can still be read. */
function isWhole(archive: Buffer, tar: Buffer) {
  try {
    return zstdDecompressSync(archive).equals(tar)
  } catch {
    return false
  }
}

test('a mistake in the code is not reported as a damaged backup [R19]', async () => {
  await expect(Array.fromAsync(readArchive('no\0path'))).rejects.toThrow(TypeError)
})

const replaced = (tar: Buffer, one: string, other: string) =>
  Buffer.from(tar.toString('latin1').replace(one, other), 'latin1')

const header = 'uploads/empty\0'

test.each([
  ['changed', (tar: Buffer) => replaced(tar, 'Person1', 'Nobody1')],
  ['renamed', (tar: Buffer) => replaced(tar, header, 'uploads/emptx\0')],
  [
    'left out',
    (tar: Buffer) =>
      Buffer.concat([tar.subarray(0, tar.indexOf(header)), tar.subarray(tar.indexOf(header) + 512)]),
  ],
])('a backup of which a part was %s is refused by its checksums [R19]', async (_what, change) => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const place = await here.emptyPlace()
  const tar = zstdDecompressSync(await readFile(here.file))
  await writeFile(here.file, zstdCompressSync(tar))
  expect((await checkBackup(here.file, ownMigrations)).format).toBe(1)
  expect(change(tar)).not.toEqual(tar)
  await writeFile(here.file, zstdCompressSync(change(tar)))
  await expect(place.restore()).rejects.toBeInstanceOf(BackupRefused)
  expect(await place.content()).toEqual({})
})

const member = (name: string, content = 'mine now'): Member => ({ name, content: Buffer.from(content) })

test.each([
  'uploads/../../stolen',
  '/etc/stolen',
  'uploads//stolen',
  'uploads\\..\\stolen',
  'uploads',
  'stolen',
  'tables/__proto__/1.copy',
  `uploads/${'a'.repeat(256)}`,
  'uploads/.restoring/stolen',
  'uploads/lost+found/stolen',
  'uploads/stolen.part',
  `uploads${'/aaaaaaa'.repeat(500)}`,
])('restore of a backup with a file named %j writes nothing anywhere [R19]', async (name) => {
  const crafted = await craftedBackup(member(name))
  expect(await resultOf(crafted)).toEqual(['crafted.tar.zst holds a file with an odd name.', {}, {}])
})

test.each([
  ['twice the same upload', 'uploads/empty', 'crafted.tar.zst holds two files with one name.'],
  ['an upload below another', 'uploads/empty/b', 'crafted.tar.zst holds a file and a folder with one name.'],
])('restore of a backup with %s writes nothing [R19]', async (_what, name, sentence) => {
  expect(await resultOf(await craftedBackup(member(name)))).toEqual([sentence, {}, {}])
})

test.each([
  'null',
  'a novel',
  '{"format":1,"madeAt":"2025-06-10T12:00:00Z","level":1,"tables":null}',
  `${' '.repeat(2 * 1024 * 1024)}{}`,
])('restore of a backup whose description is wrong writes nothing (%#) [R19]', async (description) => {
  const crafted = await craftedBackup(member('backup.json', description))
  const sentence = 'crafted.tar.zst is no backup that this version can read.'
  expect(await resultOf(crafted)).toEqual([sentence, {}, {}])
})

test.each([
  ['a table', '"tables":{"books":["id"]}'],
  ['a column', '"tables":{"users":["id","shoe_size"]}'],
])(
  'restore of a backup with %s that its version does not have changes nothing [R19]',
  async (_what, tables) => {
    const { db } = await here.startInstance()
    await here.backupOf(db)
    const { level } = await checkBackup(here.file, ownMigrations)
    const description = `{"format":1,"madeAt":"2025-06-10T12:00:00Z","level":${level},${tables}}`
    const crafted = join(here.folder, 'crafted.tar.zst')
    await writeArchive(crafted, Readable.from([member('backup.json', description), member('uploads/one')]))
    const [sentence, content, files] = await resultOf(crafted)
    expect(sentence).toBe(
      'crafted.tar.zst holds a table that its version does not have: nothing was restored.',
    )
    expect([Object.values(content!).flat(), files]).toEqual([[], {}])
  },
)

function tarHeader(name: string, size: number) {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write('0000600\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0        0', 136)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(7, '0')}\0`, 148)
  return header
}

test('a small backup with hundreds of megabytes of zeros is checked with little memory [R19 R24]', async () => {
  const crafted = join(here.folder, 'crafted.tar.zst')
  const zeros = Buffer.alloc(64 * 1024 * 1024)
  const tar = Readable.from([tarHeader('backup.json', 6 * zeros.length), ...Array<Buffer>(6).fill(zeros)])
  await pipeline(tar, createZstdCompress(), createWriteStream(crafted))
  const before = process.memoryUsage.rss()
  let highest = 0
  const watching = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 5)
  await expect(checkBackup(crafted, ownMigrations)).rejects.toBeInstanceOf(BackupRefused)
  clearInterval(watching)
  expect(highest - before).toBeLessThan(250 * 1024 * 1024)
}, 60_000)

/** A backup with these members too, and with valid checksums. */
async function craftedBackup(...others: Member[]) {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const replacesDescription = others.some(({ name }) => name === 'backup.json')
  const members = (await membersOf(here.file)).slice(replacesDescription ? 1 : 0)
  const crafted = join(here.folder, 'crafted.tar.zst')
  await writeArchive(crafted, Readable.from([...others, ...members]))
  return crafted
}

/** The result of a restore into an empty place: why it is refused, and what is in the place then. */
async function resultOf(crafted: string) {
  const place = await here.emptyPlace()
  const sentence = await place.restore(crafted).catch((error: Error) => error.message)
  return [sentence, await place.content(), await place.uploaded()]
}
