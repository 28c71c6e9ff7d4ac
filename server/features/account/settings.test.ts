import { expect, test } from 'vitest'
import { changeSettings, getSettings } from '#contract/account/settings.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { users } from './schema.ts'

test('a person chooses whether their name and their presence are shown; what is not named stays [S5]', async () => {
  const { person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const unchanged = { showName: false, presence: true }
  expect(await ana.does(getSettings)).toEqual(unchanged)
  for (const [input, settings] of [
    [{}, unchanged],
    [{ showName: true }, { showName: true, presence: true }],
    [{ presence: false }, { showName: true, presence: false }],
    [{ showName: false, presence: true }, unchanged],
    [
      { showName: true, presence: false },
      { showName: true, presence: false },
    ],
  ]) {
    expect(await ana.does(changeSettings, { input: input! })).toEqual(settings)
    expect(await ana.does(getSettings)).toEqual(settings)
  }
  expect(await ben.does(getSettings)).toEqual(unchanged)
})

test('settings are refused in another shape, and to people without an account [S27 S2]', async () => {
  const { person, guest, visitor, db } = await startTestApp()
  const ana = await person()
  const other = await guest()
  const before = await db.select().from(users)
  for (const input of [{ showName: 'true' }, { presence: 1 }, { showName: null }])
    expect(await ana.tries(changeSettings, { input })).toMatchObject({ status: 400, code: 'InvalidInput' })
  for (const [who, status] of [
    [visitor(), 401],
    [other, 403],
  ] as const) {
    expect((await who.tries(getSettings)).status).toBe(status)
    expect((await who.tries(changeSettings, { input: { showName: true } })).status).toBe(status)
  }
  expect(await db.select().from(users)).toEqual(before)
})
