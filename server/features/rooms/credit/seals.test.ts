import { sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { erasePassage } from '#contract/erasing/endpoints.ts'
import { getReceipt, getRoomSeal, getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import { toBase64url } from '#contract/rooms/credit/base64url.ts'
import { textHashOf } from '#contract/rooms/credit/formulas.ts'
import type { Receipt, Seal } from '#contract/rooms/credit/seal.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { createRoom, deleteRoom, getRoomStory, sendPassage } from '#contract/rooms/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { hasPython, shortly, verdictsOfPython } from '#contract/testing/credit.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { startMessenger, startTwoApps } from '#server/testing/messengers.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { parsed, receiptOf, sealOf, startStory, writeStory } from '#server/testing/proved-story.ts'
import { lockRoom } from '../queries.ts'
import { completeChain, lockChain } from './chain.ts'
import { roomChains } from './schema.ts'

test('a finished story is proved by its seal, and the writer of passages by a receipt [CRED-02 CRED-03 CRED-04]', async () => {
  const { ana, ben, visitor, id, sent, end, config } = await startStory()
  end()
  const [seal, receipt] = [await sealOf(visitor(), id), await receiptOf(ana, id)]
  expect(parsed<Seal>(seal)).toMatchObject({
    origin: `http://localhost:${config.port}`,
    room: id,
    title: 'The long night',
    count: 3,
    passages: sent.map(({ createdAt, content, salt }) => ({ time: createdAt, text: content, salt })),
  })
  expect(parsed<Receipt>(receipt).passages).toEqual(
    [sent[0]!, sent[2]!].map(({ position, createdAt, content, salt }) => ({
      position,
      time: createdAt,
      text: content,
      salt,
    })),
  )
  expect(verify([seal, receipt])).toMatchObject({ outcome: 'verified', withheld: [], own: [1, 3] })
  expect(verify([seal, await receiptOf(ben, id)])).toMatchObject({ outcome: 'verified', own: [2] })
  // Every reader gets the same file.
  expect(await sealOf(ana, id)).toBe(seal)
})

test('the answer to a passage carries its salt, nobody else gets it, and a signed head follows [CRED-01]', async () => {
  const { ana, ben, app, visitor, id, sent, clock } = await startStory()
  const reader = await openStream(app, ben, { rooms: [id] })
  for (const { salt } of sent) expect(Buffer.from(salt!, 'base64url')).toHaveLength(16)
  const list = (await visitor().request({ url: `/api/zimmers/${id}/messages` })).body
  expect(list).not.toContain('salt')
  clock.advance(5000)
  const head = await reader.receives('room.head', ({ position }) => position === 3)
  const passage = await ana.does(sendPassage, { params: { id }, input: { content: 'The end.' } })
  const message = await reader.receives('room.message')
  expect([passage.salt, message]).toEqual([
    expect.any(String),
    expect.not.objectContaining({ salt: passage.salt }),
  ])
  clock.advance(15 * 60_000)
  const [seal, receipt] = [await sealOf(ana, id), parsed<Receipt>(await receiptOf(ben, id))]
  const { key } = parsed<Seal>(seal)
  const { roomId, ...signed } = head
  expect(roomId).toBe(id)
  // The head of the event stands for three of four passages.
  expect(verify([seal, JSON.stringify({ ...receipt, head: { ...signed, key } })]).outcome).toBe('verified')
  const contradicting = { ...signed, key, link: receipt.head.link }
  expect(verify([seal, JSON.stringify({ ...receipt, head: contradicting })]).outcome).toBe('false')
})

test('the job that signs waits neither for a locked chain nor for a locked member, and signs their passages later [CRED-01]', async () => {
  const t = await startStory()
  const { app, id, db, clock, visitor } = t
  const other = await writeStory(t)
  const reader = await openStream(app, visitor(), { rooms: [id, other.id] })
  const releases = [
    await holdLocks(db, sql`select 1 from room_chains where room_id = ${id} for update`),
    await holdLocks(db, sql`select 1 from room_members where user_id = ${other.ben.me.id} for update`),
  ]
  clock.advance(5000)
  expect(await reader.receives('room.head')).toMatchObject({ roomId: other.id, position: 1 })
  for (const release of releases) await release()
  clock.advance(5000)
  for (const room of [id, other.id])
    await reader.receives('room.head', ({ roomId, position }) => roomId === room && position === 3)
})

test('a person gets at most 20 receipts a minute [CRED-04]', async () => {
  const { ana, params } = await startStory()
  for (let n = 0; n < 20; n++) expect((await ana.tries(getReceipt, { params })).status).toBe(200)
  expect(await ana.tries(getReceipt, { params })).toMatchObject({ status: 429, code: 'TooManyRequests' })
})

test('a story is sealed once, within five seconds of its end, without a reader [CRED-02]', async () => {
  const { db, visitor, id, end } = await startStory()
  end()
  const sealOfRow = async () => (await db.select().from(roomChains))[0]!.seal?.toString('base64url')
  await expect.poll(sealOfRow, { timeout: 5000, interval: 50 }).toBeDefined()
  const first = await sealOfRow()
  const seals = await Promise.all(Array.from({ length: 10 }, () => sealOf(visitor(), id)))
  expect(new Set(seals.map((seal) => parsed<Seal>(seal).seal))).toEqual(new Set([first]))
})

test('two processes seal a story once, when both are asked at the moment of its end [CRED-02]', async (context) => {
  const t = await startTwoApps('NOTIFY', context)
  const { ana, id, end } = await writeStory(t)
  await t.db.execute(sql`create table sealed (at timestamptz default clock_timestamp())`)
  await t.db.execute(sql`create rule note_seal as on update to room_chains where new.seal is not null
    do also insert into sealed default values`)
  end()
  const readers = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? ana : t.atOther(ana)))
  const seals = await Promise.all(readers.map((reader) => sealOf(reader, id)))
  expect(new Set(seals).size).toBe(1)
  const { rows } = await t.db.execute(sql`select * from sealed`)
  expect(rows).toHaveLength(1)
})

test('a story has no proof when it is older than the proofs, and says so [CRED-11]', async () => {
  const { ana, db, id, end } = await startStory()
  await db.delete(roomChains)
  end()
  const params = { id }
  expect(await ana.tries(getRoomSeal, { params })).toMatchObject({ status: 403, code: 'NoProof' })
  expect(await ana.tries(getReceipt, { params })).toMatchObject({ status: 403, code: 'NoProof' })
  expect(await ana.does(getSealFingerprint, { params })).toEqual({ fingerprint: null })
  const file = await ana.request({ url: pathOf(getRoomStory, { params: { id, format: 'txt' } }) })
  expect([file.statusCode, file.body.includes('Seal')]).toEqual([200, false])
})

test('a story that is still written has no seal [CRED-02]', async () => {
  const { ana, id } = await startStory()
  for (const endpoint of [getRoomSeal, getSealFingerprint])
    expect(await ana.tries(endpoint, { params: { id } })).toMatchObject({
      status: 403,
      code: 'RoomStillOpen',
    })
})

test('only members get the seal of a private story, and only a writer the own receipt [CRED-03 CRED-04]', async () => {
  const { ana, ben, person, visitor, admin, clock, id: publicId, end } = await startStory()
  const { id } = await ana.does(createRoom, { input: aRoom({ isPublic: false, duration: 15 }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'Only for us' } })
  clock.advance(0)
  end()
  const params = { id }
  for (const who of [await person(), await admin(), ben])
    for (const endpoint of [getRoomSeal, getReceipt, getSealFingerprint])
      expect(await who.tries(endpoint, { params })).toMatchObject({ status: 403, code: 'PrivateRoom' })
  expect(await visitor().tries(getRoomSeal, { params })).toMatchObject({ code: 'SignInRequired' })
  expect(await visitor().tries(getReceipt, { params })).toMatchObject({ code: 'SignInRequired' })
  expect(verify([await sealOf(ana, id), await receiptOf(ana, id)]).outcome).toBe('verified')
  const stranger = await person()
  const answer = await stranger.tries(getReceipt, { params: { id: publicId } })
  expect(answer).toMatchObject({ status: 403, code: 'NothingWritten' })
})

test('a receipt from before the deletion of the account verifies, and the seal names nobody [CRED-04 CRED-09]', async () => {
  const { ana, ben, id, send, end, db } = await startStory()
  const receipt = await receiptOf(ana, id)
  await letTheJobWait(db)
  // In no chain yet when the secret of its author goes.
  await send(ana, 'Goodbye.')
  await ana.does(deleteAccount)
  end()
  const seal = await sealOf(ben, id)
  expect(verify([seal, receipt])).toMatchObject({ outcome: 'verified', own: [1, 3, 4] })
  const { secret } = parsed<Receipt>(receipt)
  const { rows } = await db.execute<{ text: string }>(sql`
    select coalesce(string_agg(m::text, ''), '') || (select string_agg(p::text, '') from room_messages p) as text from room_members m`)
  expect(rows[0]!.text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
})

test('no output tells who wrote a passage, and only the receipt opens the mark [CRED-09]', async () => {
  const { ana, ben, visitor, app, id, end, clock } = await startStory()
  const reader = await openStream(app, visitor(), { rooms: [id] })
  clock.advance(5000)
  const head = await reader.receives('room.head')
  const receipts = [parsed<Receipt>(await receiptOf(ana, id)), parsed<Receipt>(await receiptOf(ben, id))]
  end()
  const seal = await sealOf(visitor(), id)
  const keys = (await visitor().request({ url: '/.well-known/zimmer-seal.json' })).body
  for (const { person, secret } of receipts)
    for (const output of [seal, keys, JSON.stringify(head)])
      for (const told of [person, secret]) expect(output).not.toContain(told)
  // Without the secret the marks of the same person differ from room to room.
  const other = await writeStory({ person: async () => ana, clock })
  clock.advance(15 * 60_000)
  const marks = parsed<Seal>(seal).passages.map(({ who }) => who)
  const marksThere = parsed<Seal>(await sealOf(visitor(), other.id)).passages.map(({ who }) => who)
  expect(marks.filter((who) => marksThere.includes(who))).toEqual([])
  expect([marks[0] === marks[2], marks[0] === marks[1]]).toEqual([true, false])
})

test('an erased passage and the passages of a hidden author are withheld, and the rest verifies [CRED-08]', async () => {
  const { ana, ben, admin, id, send, sent, end, db } = await startStory()
  const boss = await admin()
  const receipt = await receiptOf(ben, id)
  await letTheJobWait(db)
  const late = await send(ben, 'Rude')
  for (const { id: passageId } of [sent[1]!, late])
    await boss.does(erasePassage, { params: { id, passageId } })
  end()
  const seal = await sealOf(ana, id)
  expect(seal).not.toContain('A lamp')
  // This one was in no chain yet when its text went.
  expect(parsed<Seal>(seal).passages[3]!.textHash).toBe(
    toBase64url(textHashOf(Buffer.from(late.salt!, 'base64url'), 'Rude')),
  )
  expect(seal).not.toContain(sent[1]!.salt!)
  expect(verify([seal, await receiptOf(ana, id)])).toMatchObject({
    outcome: 'verified',
    withheld: [2, 4],
    own: [1, 3],
  })
  // What the writer has kept still proves the text.
  expect(verify([seal, receipt])).toMatchObject({ outcome: 'verified', own: [2, 4] })
  expect(verify([seal, await receiptOf(ben, id)])).toMatchObject({ outcome: 'verified', own: [2, 4] })
  await boss.does(suspendPerson, {
    params: { id: ana.me.id },
    input: { reason: 'Unkind', until: null, hidesTexts: true },
  })
  const hidden = await sealOf(ben, id)
  expect(verify([hidden])).toMatchObject({ outcome: 'verified', withheld: [1, 2, 3, 4] })
  expect(hidden).not.toContain('It was late.')
})

test('the seal lies in the book, and its fingerprint stands in all files [CRED-03]', async () => {
  const { ana, id, end } = await startStory()
  end()
  const { fingerprint } = await ana.does(getSealFingerprint, { params: { id } })
  expect(fingerprint).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){3}$/)
  const read = (format: 'epub' | 'md' | 'txt') =>
    ana.request({ url: pathOf(getRoomStory, { params: { id, format } }) })
  for (const format of ['md', 'txt'] as const)
    expect((await read(format)).body).toContain(`· Seal ${fingerprint}`)
  const book = unzipSync((await read('epub')).rawPayload)
  const seal = Buffer.from(book['META-INF/zimmer-seal.json']!).toString()
  expect(seal).toBe(await sealOf(ana, id))
  expect(verify([seal])).toMatchObject({ outcome: 'verified', fingerprint })
  expect(Buffer.from(book['EPUB/title.xhtml']!).toString()).toContain(`· Seal ${fingerprint}`)
})

test.runIf(hasPython)('an independent verifier agrees on real files [CRED-05]', async () => {
  const { ana, id, end } = await startStory()
  end()
  const [seal, receipt] = [await sealOf(ana, id), await receiptOf(ana, id)]
  const changed = parsed<Seal>(seal)
  changed.passages[1]!.text = 'A lamq'
  const files = [[seal], [seal, receipt], [JSON.stringify(changed)]]
  expect(verdictsOfPython(files)).toEqual(['verified', 'verified', 'false 2'])
})

test('one changed character, time or title of a real seal is found at its place [CRED-06]', async () => {
  const { ana, id, end } = await startStory()
  end()
  const seal = await sealOf(ana, id)
  const changes: [change: (seal: Seal) => unknown, verdict: string][] = [
    [({ passages }) => (passages[1]!.text = 'A lamq'), 'false 2'],
    [({ passages }) => (passages[2]!.time = passages[1]!.time), 'false 3'],
    [(changed) => (changed.title = 'The long day'), 'false'],
  ]
  const files = changes.map(([change]) => {
    const changed = parsed<Seal>(seal)
    change(changed)
    return JSON.stringify(changed)
  })
  expect(files.map((file) => shortly(verify([file])))).toEqual(changes.map(([, verdict]) => verdict))
})

test('a passage that a process of the previous version wrote gets its salt when it enters the chain [CRED-01]', async (context) => {
  const { busFor } = await startMessenger('one process', context)
  const { ana, id, end, db } = await startStory({ busFor })
  await db.execute(sql`update room_messages set salt = null where position = 2`)
  end()
  expect(verify([await sealOf(ana, id)])).toMatchObject({ outcome: 'verified', withheld: [] })
})

/** The job adds no passage before the end, as if it had just signed the room. */
const letTheJobWait = (db: Db) => db.update(roomChains).set({ signedAt: '2025-06-10T13:00:00.000Z' })

test.each([
  ['signed', (db: Db, id: string) => lockChain(db, id)],
  ['sealed', (db: Db, id: string) => lockRoom(db, id)],
])(
  'a room is deleted while its story is %s: the deletion waits [R5 CRED-01 CRED-02]',
  async (_, lockFirst) => {
    const { admin, db, id } = await startStory()
    const boss = await admin()
    const deletion = await db.transaction(async (tx) => {
      await lockFirst(tx, id)
      const waiting = boss.tries(deleteRoom, { params: { id } })
      await untilLockWaits(db)
      await completeChain(tx, id)
      // In a function: the transaction would wait for a promise, and the deletion waits for the transaction.
      return () => waiting
    })
    expect((await deletion()).status).toBe(200)
    const { rows } = await db.execute(sql`select from room_chains where room_id = ${id}`)
    expect(rows).toEqual([])
  },
)

test('a writer whose room is deleted while the receipt is being read is refused [CRED-04 R16]', async () => {
  const { ana, admin, db, id, end } = await startStory()
  end()
  await receiptOf(ana, id)
  const boss = await admin()
  const query = db.pool.query.bind(db.pool)
  db.pool.query = (async (...args: Parameters<typeof query>) => {
    const answer = await (query(...args) as unknown as Promise<unknown>)
    const { text } = args[0] as unknown as { text: string }
    if (text.includes('room_chains')) {
      db.pool.query = query
      await boss.does(deleteRoom, { params: { id } })
    }
    return answer
  }) as typeof query
  const answer = await ana.request({ url: pathOf(getReceipt, { params: { id } }) })
  expect(answer.statusCode).toBe(403)
  expect(answer.body).toContain('NothingWritten')
})
