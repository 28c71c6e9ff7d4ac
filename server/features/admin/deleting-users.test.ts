import { expect, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { deleteUser } from '#contract/admin/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { addFriend, listFriends } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { grantAdmin } from '#server/features/account/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { auditLog } from '#server/platform/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream, until } from '#server/testing/stream-client.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const remove = (boss: Client, id: string) => boss.tries(deleteUser, { params: { id } })

test('an admin deletes a user: posts and passages stay as those of a deleted user, and the audit log names both [AUSR-11 API-37 PERM-12 S15 S19 S49]', async () => {
  const { db, person, admin, visitor } = await startTestApp()
  const [boss, ana] = [await admin(), await person({ firstName: 'Ana' })]
  const room = { params: { id: (await ana.does(createRoom, { input: aRoom() })).id } }
  await ana.does(joinRoom, { ...room, input: { signsWithName: true } })
  await ana.does(sendPassage, { ...room, input: { content: 'It was late.' } })
  await ana.does(submitPost, { input: { content: 'A short post', authorName: 'Ana', type: 'premium' } })
  await visitor().does(getFeedDay, { params: { offset: '0' } })

  expect(await remove(boss, ana.me.id)).toMatchObject({ status: 200, body: { ok: true } })
  expect((await ana.tries(getMe)).status).toBe(401)
  const posts = await visitor().does(getFeedDay, { params: { offset: '0' } })
  expect(posts).toMatchObject([{ content: 'A short post', authorName: 'Deleted user', authorId: null }])
  const passages = await visitor().does(listPassages, room)
  expect(passages).toMatchObject([{ content: 'It was late.', authorName: null, userId: null }])
  expect((await db.select().from(auditLog)).at(-1)).toMatchObject({
    action: 'account-deletion',
    actorId: boss.me.id,
    subjectId: ana.me.id,
  })
})

test('an admin deletes a guest, whose session ends [API-37 S19]', async () => {
  const { admin, guest } = await startTestApp()
  const [boss, ana] = [await admin(), await guest()]
  expect((await remove(boss, ana.me.id)).status).toBe(200)
  expect((await ana.tries(getMe)).status).toBe(401)
})

test('an admin deletes neither another admin nor the own account, and nothing changes [AUSR-11 S19]', async () => {
  const { db, admin } = await startTestApp()
  const [boss, other] = [await admin(), await admin()]
  const before = await contentOf(db)
  for (const { me } of [boss, other])
    expect(await remove(boss, me.id)).toMatchObject({ status: 403, code: 'AdminStays' })
  expect(await contentOf(db)).toEqual(before)
})

test('an admin cannot delete the demo account, and nothing changes [S18 S19]', async () => {
  const { db, admin, visitor } = await startTestApp({ config: { demoMode: true } })
  const boss = await admin()
  const demo = await visitor().does(login, { input: demoAccount })
  const before = await contentOf(db)
  expect(await remove(boss, demo.id)).toMatchObject({ status: 403, code: 'DemoAccountStays' })
  expect(await contentOf(db)).toEqual(before)
})

test('an admin who deletes an unknown person, or one person twice, is told that there is no such user, and nothing changes [API-37 S19]', async () => {
  const { db, admin, person } = await startTestApp()
  const [boss, ana] = [await admin(), await person()]
  await remove(boss, ana.me.id)
  const before = await contentOf(db)
  for (const id of [ana.me.id, '0000000000', 'no-id', '01900000-0000-7000-8000-000000000000'])
    expect(await remove(boss, id)).toMatchObject({ status: 404, code: 'UserNotFound' })
  expect(await contentOf(db)).toEqual(before)
})

test('of two admins who delete a person at the same time one does it, and the other is told that the person is gone [S19 R6]', async () => {
  const { db, admin, person } = await startTestApp()
  const [boss, other, ana] = [await admin(), await admin(), await person()]
  const answers = await Promise.all([boss, other].map((each) => remove(each, ana.me.id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const deletions = (await db.select().from(auditLog)).filter(({ action }) => action === 'account-deletion')
  expect(deletions).toHaveLength(1)
})

test('a person whom a command makes an admin during the deletion is either deleted before that, or stays [S19 R5]', async () => {
  const { db, clock, config, admin, person, visitor } = await startTestApp()
  const input = { email: 'ana@example.org', password: 'lamps and ink 9' }
  const [boss, ana] = [await admin(), await person(input)]
  const sources = { database: db, clock, random: systemRandom, events: new DomainEvents() }
  const granted = grantAdmin(sources, createMemoizedHashing(), config, input).catch(() => {})
  const [{ status }] = await Promise.all([remove(boss, ana.me.id), granted])
  const signIn = await visitor().tries(login, { input })
  expect([
    [200, 401],
    [403, 200],
  ]).toContainEqual([status, signIn.status])
})

test.for(messengers)(
  'over %s the sessions and streams of a deleted person end at every process, and the friends are notified [S15 S23 API-37]',
  async (messenger, context) => {
    const { app, other, db, admin, person, atOther } = await startTwoApps(messenger, context)
    const [boss, ana, ben] = [await admin(), await person(), await person()]
    await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
    const input = { messageType: 'text', receiverId: ben.me.id, content: 'Good morning' } as const
    await ana.does(sendMessage, { input })
    const streams = [
      await openStream(app, ana, { inbox: ana.me.id }),
      await openStream(other, ana, { inbox: ana.me.id }),
    ]
    const friendsDevice = await openStream(other, ben, { inbox: ben.me.id })
    expect((await atOther(ana).tries(getMe)).status).toBe(200)

    await boss.does(deleteUser, { params: { id: ana.me.id } })
    for (const client of [ana, atOther(ana)]) expect((await client.tries(getMe)).status).toBe(401)
    await friendsDevice.receives('friends.changed')
    expect(await atOther(ben).does(listFriends)).toEqual([])
    await Promise.all(streams.map(({ ended }) => ended))
    expect(JSON.stringify((await contentOf(db))['inbox_events'])).not.toContain(ana.me.id)
  },
)

test('two friends who are deleted at the same time are both deleted, and their common friend is notified of each [S15 R5 R6]', async () => {
  const { app, admin, person } = await startTestApp({ config: { limitsRates: false } })
  const [boss, ana, ben, cleo] = [await admin(), await person(), await person(), await person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  for (const { me } of [ana, ben]) await cleo.does(addFriend, { input: { friendUserId: me.id } })
  const device = await openStream(app, cleo, { inbox: cleo.me.id })
  const answers = await Promise.all([ana, ben].map(({ me }) => remove(boss, me.id)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await until(() => device.all('friends.changed').length === 2 || undefined, 'both events')
})
