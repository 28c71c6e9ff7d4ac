import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getReceipt, getRoomSeal } from '#contract/rooms/credit/endpoints.ts'
import { getRoomStory } from '#contract/rooms/endpoints.ts'
import type { Receipt, Seal } from '#contract/rooms/credit/seal.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { pathOf } from '#contract/endpoint.ts'
import { changeDiaryKey, openVault } from '#server/features/day-texts/index.ts'
import { allEncryptedTables } from '#server/features.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { restoredCopyOf } from '#server/testing/backup-places.ts'
import { parsed, receiptOf, sealOf, startStory, writeStory } from '#server/testing/proved-story.ts'
import { findSigner, makeSealKey } from './keys.ts'
import { roomChains, sealKeys } from './schema.ts'

const [key, newKey] = ['a'.repeat(64), 'b'.repeat(64)]
const vaultWith = (database: Database, diaryKey: string | undefined) =>
  openVault({ database, config: { diaryKey }, random: systemRandom })
const publicKeys = async (who: Parameters<typeof sealOf>[0]) =>
  (await who.request({ url: '/.well-known/zimmer-seal.json' })).json<{
    origin: string
    keys: { key: string }[]
  }>()

test('an installation has a key from its first start, and its public part stands at a known address [CRED-10]', async () => {
  const { ana, id, end, db, visitor, config } = await startStory()
  end()
  const { key } = parsed<Seal>(await sealOf(ana, id))
  expect(await publicKeys(visitor())).toEqual({
    origin: `http://localhost:${config.port}`,
    keys: [{ key, since: expect.stringMatching(/^2025-06-10T12/) }],
  })
  const [stored] = await db.select().from(sealKeys)
  expect(stored!.secretKey!.toString()).toMatch(/^[\w-]{43}$/)
})

test('a new key signs from now on, and seals and receipts of the key before stay valid [CRED-10]', async () => {
  const { ana, ben, id, end, db, visitor, person, clock } = await startStory()
  const receipt = await receiptOf(ben, id)
  const made = await makeSealKey(db, await vaultWith(db, undefined))
  const { keys } = await publicKeys(visitor())
  expect(keys.map((each) => each.key)).toEqual([parsed<Receipt>(receipt).head.key, made])
  expect(await db.$count(sealKeys, sql`secret_key is not null`)).toBe(1)
  const other = await writeStory({ person, clock })
  end()
  const seal = await sealOf(ana, id)
  expect(parsed<Seal>(seal).key).toBe(made)
  expect(verify([seal, receipt]).outcome).toBe('verified')
  await makeSealKey(db, await vaultWith(db, undefined))
  expect(await sealOf(ana, id)).toBe(seal)
  expect(verify([await sealOf(other.ana, other.id)]).outcome).toBe('verified')
})

test('with DIARY_KEY the key is encrypted, follows a change of DIARY_KEY, and signs nothing without it [CRED-10]', async () => {
  const { ana, id, end, db } = await startStory({ config: { diaryKey: key } })
  const stored = async () => (await db.select().from(sealKeys))[0]!
  const before = await stored()
  expect(before.secretKey!.toString('latin1')).not.toMatch(/^[\w-]{43}$/)
  expect(before.keyId).not.toBeNull()
  await changeDiaryKey(
    { database: db, random: systemRandom, config: { diaryKey: key, newDiaryKey: newKey } },
    allEncryptedTables,
  )
  const after = await stored()
  expect([after.publicKey, after.keyId === before.keyId]).toEqual([before.publicKey, false])
  expect((await findSigner(db, await vaultWith(db, newKey)))!.publicKey).toEqual(before.publicKey)
  for (const wrong of [key, undefined])
    expect(await findSigner(db, await vaultWith(db, wrong))).toBeUndefined()
  // The server still has the key of before.
  const refused = { status: 503, code: 'DiaryLocked' }
  expect(await ana.tries(getReceipt, { params: { id } })).toMatchObject(refused)
  end()
  expect(await ana.tries(getRoomSeal, { params: { id } })).toMatchObject(refused)
  const file = await ana.request({ url: pathOf(getRoomStory, { params: { id, format: 'txt' } }) })
  expect([file.statusCode, file.body.includes('Seal')]).toEqual([200, false])
  expect((await db.select().from(roomChains))[0]!.seal).toBeNull()
})

test('a restored installation has the keys and the seals of the backup [CRED-10]', async () => {
  const { ana, id, end, db, connection, clock } = await startStory()
  end()
  await sealOf(ana, id)
  const { database } = await restoredCopyOf({ connection, clock })
  for (const table of [sealKeys, roomChains])
    expect(await database.select().from(table)).toEqual(await db.select().from(table))
  expect((await database.select().from(roomChains))[0]!.seal).not.toBeNull()
})
