import { expect, test } from 'vitest'
import { changeSettings, getSettings } from '#contract/account/settings/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { users } from './schema.ts'

test('a person chooses whether name and presence are shown; a setting that is not sent stays [S5]', async () => {
  const { person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const unchanged = { showName: false, presence: true, hasPage: false, introduction: '' }
  expect(await ana.does(getSettings)).toEqual(unchanged)
  for (const [input, settings] of [
    [{}, unchanged],
    [{ showName: true }, { ...unchanged, showName: true }],
    [{ presence: false }, { ...unchanged, showName: true, presence: false }],
    [{ showName: false, presence: true }, unchanged],
    [
      { showName: true, presence: false },
      { ...unchanged, showName: true, presence: false },
    ],
  ]) {
    expect(await ana.does(changeSettings, { input: input! })).toEqual(settings)
    expect(await ana.does(getSettings)).toEqual(settings)
  }
  expect(await ben.does(getSettings)).toEqual(unchanged)
})

test('settings of another shape are refused, and so are people without an account [S27 S2]', async () => {
  const { person, guest, visitor, db } = await startTestApp()
  const ana = await person()
  const other = await guest()
  const before = await db.select().from(users)
  for (const input of [
    { showName: 'true' },
    { presence: 1 },
    { showName: null },
    { hasPage: null },
    { introduction: 1 },
  ])
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

test('an introduction that another device has changed meanwhile is not overwritten, and is answered [PPL-01]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  await ana.does(changeSettings, { input: { introduction: 'I write at night.', base: '' } })
  const input = { introduction: 'I write in the morning.', hasPage: true, base: '' }
  const current = { showName: false, presence: true, hasPage: false, introduction: 'I write at night.' }
  expect(await ana.tries(changeSettings, { input })).toMatchObject({
    status: 400,
    code: 'IntroductionConflict',
    body: { current },
  })
  expect(await ana.does(getSettings)).toEqual(current)
  await ana.does(changeSettings, { input: { ...input, base: 'I write at night.' } })
  expect(await ana.does(getSettings)).toMatchObject({ introduction: input.introduction, hasPage: true })
})
