import { pathOf } from '#contract/endpoint.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { connectionOf, inMegabytes, withInstance } from './instance.ts'
import { addPeople, addRooms, withDatabase } from './rows.ts'
import { fact, printTable } from './table.ts'
import { compareWithBareRows } from './writers.ts'

const writers = 32
const content = 'A line of a story that goes on for a while. '.repeat(5)

await withInstance(async ({ url, dataDir, memory }) => {
  const { people, rooms } = await withDatabase(dataDir, async (db) => {
    const all = await addPeople(db, writers)
    return {
      people: all,
      rooms: await addRooms(
        db,
        all.map((person) => [person]),
      ),
    }
  })
  const figures = await compareWithBareRows({
    url,
    writers: people.map(({ cookie }, n) => ({
      path: pathOf(sendPassage, { params: { id: rooms[n]! } }),
      cookie,
      body: JSON.stringify({ content }),
    })),
    bare: {
      connection: await connectionOf(dataDir),
      insert: `insert into room_messages (room_id, user_id, position, id, content, created_at, event)
        values ($1, $2, $3, $4, $5, app_now(), $3)`,
      writers: people.map(({ id }, n) => [rooms[n]!, id]),
      content,
    },
    ratio: 0.3,
    unit: 'passages',
  })
  printTable(`${writers} people write at once in a room each, each passage on disk before its answer`, [
    ...figures,
    fact('memory of the server afterwards', inMegabytes(memory())),
  ])
})
