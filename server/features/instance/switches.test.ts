import { expect, test } from 'vitest'
import { loginAsGuest } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { createRoom, getRoom, listRooms } from '#contract/rooms/endpoints.ts'
import { contentOf, withoutLog } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startRegistration } from '#server/testing/registration.ts'

test('where guests are off nobody enters as a guest, and guests who are there stay [INST-02]', async () => {
  const { guest, visitor, set, db } = await startRegistration()
  const someone = await guest()
  await set({ guests: false })
  const before = await contentOf(db)
  expect(await visitor().tries(loginAsGuest)).toMatchObject({ status: 403, code: 'GuestsOff' })
  expect(await contentOf(db)).toEqual(before)
  expect((await someone.tries(loginAsGuest)).status).toBe(200)
})

test('where submissions of visitors are off, visitors and guests submit nothing, and people with an account do [INST-02]', async () => {
  const { guest, visitor, ana, db } = await startRegistration({ submissions: false })
  const someone = await guest()
  const before = await contentOf(db)
  for (const by of [visitor(), someone])
    for (const type of ['standard', 'premium'])
      expect(
        await by.tries(submitPost, { input: { content: 'A line', authorName: 'Nia', type } }),
      ).toMatchObject({ status: 403, code: 'SubmissionsOff' })
  expect(await contentOf(db)).toEqual(before)
  const input = { content: 'A line', authorName: 'Ana' }
  expect((await ana.tries(submitPost, { input })).status).toBe(201)
})

test('where public rooms are off new rooms are private, also for admins, and an open public room stays as it is [INST-02]', async () => {
  const { ana, boss, set, visitor, db } = await startRegistration()
  const { id } = await ana.does(createRoom, { input: aRoom({ isPublic: true }) })
  await set({ publicRooms: false })
  const before = await contentOf(db)
  for (const by of [ana, boss])
    expect(await by.tries(createRoom, { input: aRoom({ isPublic: true }) })).toMatchObject({
      status: 403,
      code: 'PublicRoomsOff',
    })
  expect(withoutLog(await contentOf(db))).toEqual(withoutLog(before))
  expect((await ana.tries(createRoom, { input: aRoom({ isPublic: false }) })).status).toBe(201)
  expect(await visitor().does(getRoom, { params: { id } })).toMatchObject({ isPublic: true })
  expect((await visitor().does(listRooms)).map((room) => room.id)).toContain(id)
})
