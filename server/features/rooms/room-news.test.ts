import { expect, test } from 'vitest'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { inboxEvents } from '#server/features/inbox/schema.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { listNews } from './live-queries.ts'
import { RoomNews } from './room-news.ts'

/** Ana and Ben are members of two rooms, and Cem of the second one. Cem reads the feed, as all of them do. */
async function start() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, cem] = [await t.person(), await t.person(), await t.person()]
  const room = async (name: string, ...members: Client[]) => {
    const { id } = await ana.does(createRoom, { input: aRoom({ name }) })
    for (const member of members) await member.does(joinRoom, { params: { id } })
    return { id, name }
  }
  const [first, second] = [await room('The long night', ben), await room('The short day', ben, cem)]
  const write = (who: Client, { id }: { id: string }) =>
    who.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
  const open = (who: Client) => openStream(t.app, who, { inbox: who.me.id })
  return { ...t, ana, ben, cem, first, second, write, open }
}

const newsOf = ({ id, name }: { id: string; name: string }, { createdAt }: { createdAt: string }) => ({
  roomId: id,
  roomName: name,
  writtenAt: createdAt,
})

test('members of a room who are elsewhere learn that others have written; the writer and people outside do not, and nothing is stored [NOTE-11]', async () => {
  const { db, ana, ben, cem, first, second, write, open } = await start()
  const [ofAna, ofBen, ofCem] = [await open(ana), await open(ben), await open(cem)]
  const passage = await write(ana, first)
  expect(await ofBen.receives('room.written')).toEqual(newsOf(first, passage))
  const later = await write(ben, second)
  for (const each of [ofAna, ofCem])
    expect(await each.receives('room.written')).toEqual(newsOf(second, later))
  expect(ofAna.all('room.written')).toHaveLength(1)
  expect(ofCem.all('room.written')).toHaveLength(1)
  expect(ofBen.all('room.written').every(({ roomId }) => roomId === first.id)).toBe(true)
  expect(await db.select().from(inboxEvents)).toEqual([])
})

test('two members who write at the same time learn of the other passage, and not of the own one [NOTE-11]', async () => {
  const { db, ana, ben, first, write } = await start()
  const [byAna, byBen] = [await write(ana, first), await write(ben, first)]
  const news = await listNews(db, [first.id])
  expect(news.toSorted((one, other) => one.writtenAt.localeCompare(other.writtenAt))).toEqual(
    [
      { personId: ben.me.id, ...newsOf(first, byAna) },
      { personId: ana.me.id, ...newsOf(first, byBen) },
    ].toSorted((one, other) => one.writtenAt.localeCompare(other.writtenAt)),
  )
})

test('a member is told of a passage once, also when somebody joins the room after it [NOTE-11]', async () => {
  const { db, ana, ben, cem, first, write } = await start()
  const sent: unknown[] = []
  const news = new RoomNews({
    database: db,
    inboxes: {
      isConnected: (personId) => personId === ben.me.id,
      send: (_personId, _name, data) => Promise.resolve(void sent.push(data)),
    },
  })
  const send = () => {
    news.add(first.id)
    return news.send()
  }
  const passage = await write(ana, first)
  await send()
  await cem.does(joinRoom, { params: { id: first.id } })
  await send()
  expect(sent).toEqual([newsOf(first, passage)])
  const next = await write(ana, first)
  await send()
  expect(sent).toEqual([newsOf(first, passage), newsOf(first, next)])
})

test('a member learns nothing of the passages of a person with whom there is a block, nor of passages of earlier [NOTE-11 PPL-04 PPL-05]', async () => {
  const { db, clock, ana, ben, cem, second, write } = await start()
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  const passage = await write(ana, second)
  expect(await listNews(db, [second.id])).toEqual([{ personId: cem.me.id, ...newsOf(second, passage) }])
  clock.advance(11_000)
  expect(await listNews(db, [second.id])).toEqual([])
})
