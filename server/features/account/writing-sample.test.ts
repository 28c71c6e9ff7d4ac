import { expect, test } from 'vitest'
import { registerByOnboarding } from '#contract/account/endpoints.ts'
import { getWritingSample } from '#contract/account/settings/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('a person reads what they wrote about themself at the registration, and nobody else does [OWN-06 S5]', async () => {
  const { visitor, person } = await startTestApp()
  const ana = visitor()
  const writingSample = 'I write at night,\nmostly.'
  const input = { name: 'Ana Lima', email: 'ana@example.org', passcode: 'firstpasscode', writingSample }
  await ana.does(registerByOnboarding, { input })
  expect(await ana.does(getWritingSample)).toEqual({ writingSample })
  expect(await (await person()).does(getWritingSample)).toEqual({ writingSample: null })
})
