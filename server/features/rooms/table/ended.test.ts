import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createRoom, getRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { getTurn, returnToTable } from '#contract/rooms/table/endpoints.ts'
import { answerWithoutChange } from '#server/testing/refusals.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { storeEnds } from '../queries.ts'

const hour = 60 * 60_000

test('a free room that has ended stays ended when the clock is set back [TURN-19]', async () => {
  const { person, clock, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const { id } = await ana.does(createRoom, { input: aRoom() })
  const { id: open } = await ana.does(createRoom, { input: aRoom({ duration: 120 }) })
  clock.step({ database: hour })
  await storeEnds(db, new AbortController().signal)
  clock.step({ database: -hour })
  const params = { id }
  expect(await ana.does(getRoom, { params })).toMatchObject({ isActive: false })
  expect(await ana.tries(sendPassage, { params, input: { content: 'More' } })).toMatchObject({
    status: 403,
    code: 'RoomExpired',
  })
  expect(await ben.tries(joinRoom, { params })).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect((await ana.tries(sendPassage, { params: { id: open }, input: { content: 'More' } })).status).toBe(
    201,
  )
})

test('a folded room that has ended stays ended and unfolded when the clock is set back [TURN-15 TURN-19]', async () => {
  const { person, visitor, clock } = await startTestApp()
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round', isFolded: true }) })
  const params = { id }
  await ana.does(sendPassage, { params, input: { content: 'The only line', turn: 1 } })
  clock.advance(20_000)
  clock.step({ database: hour })
  // A reading answers the old turn while the sweep has locked the room.
  await expect.poll(() => ana.does(getTurn, { params })).toMatchObject({ holderId: null })
  clock.step({ database: -hour })
  expect(await ana.does(getRoom, { params })).toMatchObject({ isActive: false })
  expect((await visitor().does(listPassages, { params }))[0]!.content).toBe('The only line')
  for (const call of [
    () => ana.tries(sendPassage, { params, input: { content: 'More', turn: 2 } }),
    () => ana.tries(returnToTable, { params }),
  ])
    expect(await call()).toMatchObject({ status: 403, code: 'RoomExpired' })
})

test('a person who joins a table while it ends is refused, and nothing is stored [TURN-19]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  await db.execute(sql`
    create function let_an_hour_pass() returns trigger language plpgsql as $$
    declare at interval = coalesce(nullif(current_setting('app.clock_offset', true), ''), '0 ms');
    begin
      perform set_config('app.clock_offset', (at + '1 hour')::text, false);
      return new;
    end $$`)
  await db.execute(sql`
    create trigger let_an_hour_pass after insert on room_members for each row execute function let_an_hour_pass()`)
  const joins = () => ben.tries(joinRoom, { params: { id } })
  expect(await answerWithoutChange(db, joins)).toBe('403 RoomExpired')
})
