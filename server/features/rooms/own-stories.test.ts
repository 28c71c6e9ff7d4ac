import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  changeRoomMembership,
  createRoom,
  joinRoom,
  listOwnStories,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { listWrittenRooms } from './queries.ts'
import { planOf } from '#server/testing/plan.ts'
import { roomMembers } from './schema.ts'

test('a person finds the rooms in which they wrote, and none that they may no longer read [OWN-06 S41]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await ben.does(addFriend, { input: { friendUserId: ana.me.id } })
  const open = async (name: string, writers: Client[], more: Parameters<typeof aRoom>[0] = {}) => {
    const { id } = await ben.does(createRoom, { input: aRoom({ name, ...more }) })
    for (const writer of writers) {
      if (more.isPublic !== false) await writer.does(joinRoom, { params: { id } })
      await writer.does(changeRoomMembership, { params: { id }, input: { signsWithName: false } })
      await writer.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
    }
    return id
  }
  const invited = { isPublic: false, invitedFriends: [ana.me.id] }
  await open('of Ben alone', [ben])
  const both = await open('of both', [ben, ana])
  await open('read along', [ben], invited)
  const secret = await open('private', [ben, ana], invited)
  const left = await open('left', [ben, ana], invited)
  await db.delete(roomMembers).where(eq(roomMembers.roomId, left))

  expect((await ana.does(listOwnStories)).map(({ id }) => id)).toEqual([secret, both])
  const first = await ana.tries(listOwnStories, { query: { limit: '1' } })
  const before = first.headers['next-before'] as string
  expect((await ana.does(listOwnStories, { query: { before } })).map(({ id }) => id)).toEqual([both])
  const plan = await db.transaction(async (tx) => {
    // A table of few rows is read as a whole otherwise.
    await tx.execute(sql`set local enable_seqscan = off`)
    return planOf(tx, listWrittenRooms(tx, ana.me.id, { limit: 201 }))
  })
  expect(plan).toContain('room_messages_of_author')
})
