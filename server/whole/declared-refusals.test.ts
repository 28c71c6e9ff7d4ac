import { expect, test } from 'vitest'
import { commonErrors, errors, type ErrorCode } from '#contract/errors.ts'
import { handle } from '../platform/http/endpoints/handle.ts'
import { everyone } from '../platform/http/endpoints/policy.ts'
import { Refused } from '../platform/http/refusal.ts'
import { type Operation, readDescription } from '../testing/described-calls.ts'
import { Client, startTestApp } from '../testing/test-app.ts'
import { listFacts, startPlatform } from '../testing/test-platform.ts'

const codesOf = ({ responses }: Operation, status: number | 'default') =>
  responses[status]?.content!['application/json']!.schema.allOf![1]!.properties!.code!.enum

test('a refusal that its endpoint does not declare makes the client of the tests fail', async () => {
  const clientThatGets = async (code: ErrorCode) => {
    const refuses = handle(listFacts, everyone, () => Promise.reject(new Refused(code)))
    const { request } = await startPlatform([refuses])
    return new Client(request)
  }
  const undeclared = await clientThatGets('RoomFull')
  await expect(undeclared.tries(listFacts)).rejects.toThrow(
    'GET /api/facts does not declare its refusal RoomFull.',
  )
  const common = await clientThatGets('NotAllowed')
  expect(await common.tries(listFacts)).toMatchObject({ status: 403, code: 'NotAllowed' })
})

test('whoever reads the description of the API finds each refusal of each call, with its status [R7]', async () => {
  const { app, request } = await startTestApp()
  const { paths } = readDescription((await request({ url: '/openapi.json' })).body)
  const { IdempotencyKeyReused: _onlyKeyedCalls, ...ofEveryCall } = commonErrors
  const calls = app.mounted.filter(({ config }) => config.endpoint !== undefined)
  expect(calls.length).toBeGreaterThan(30)
  for (const { config } of calls) {
    const { method, path, errors: declared = [] } = config.endpoint!
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
    for (const code of declared) {
      const { status } = errors[code]
      expect([path, code, codesOf(operation, status)]).toEqual([path, code, expect.arrayContaining([code])])
    }
    const common = Object.entries(ofEveryCall).map(
      ([code, { status }]) => [code, codesOf(operation, status) ?? codesOf(operation, 'default')] as const,
    )
    for (const [code, codes] of common)
      expect([path, code, codes]).toEqual([path, code, expect.arrayContaining([code])])
    const isKeyed = codesOf(operation, 400)!.includes('IdempotencyKeyReused')
    expect([path, isKeyed]).toEqual([path, config.takesIdempotencyKey === true])
  }
})
