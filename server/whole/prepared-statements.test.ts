import { expect, test } from 'vitest'
import { addFriend } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { newToken, programWith } from '#server/testing/programs.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const statements = [
  'insert_messages',
  'insert_passages',
  'select_api_tokens',
  'select_inbox_events',
  'select_inbox_sessions',
  'select_messages',
  'select_sessions',
]

/** How often a connection has executed each prepared statement with a general plan: that of the connection with most. */
async function countGeneralPlans({ pool }: Database) {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  const counts = new Map<string, number>()
  for (const client of clients) {
    const { rows } = await client.query<{ name: string; general: number }>(
      'select name, generic_plans::int as general from pg_prepared_statements',
    )
    for (const { name, general } of rows) counts.set(name, Math.max(counts.get(name) ?? 0, general))
    client.release()
  }
  return counts
}

test('the statements of most calls are planned once for a connection, not at each call [R16]', async () => {
  const { app, db, person, request } = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await person(), await person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const params = { id: (await ana.does(createRoom, { input: aRoom() })).id }
  const { token } = await newToken(ana, 'messages')
  const program = programWith(request, token)
  const stream = await openStream(app, ben, { inbox: ben.me.id })
  // Postgres compares the general plan with the first five others.
  for (let n = 0; n < 40; n++) {
    await program.does(listMessages, { params: { friendId: ben.me.id } })
    await ana.does(sendPassage, { params, input: { content: `Passage ${n}` } })
    await ana.does(sendMessage, {
      input: { messageType: 'text', receiverId: ben.me.id, content: `Message ${n}` },
    })
    await stream.receives('message', ({ content }) => content === `Message ${n}`)
  }
  const counts = await countGeneralPlans(db)
  expect(statements.filter((name) => !counts.get(name))).toEqual([])
})
