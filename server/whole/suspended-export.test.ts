import { expect, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { liftSuspension, type OwnSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { archiveEndpoints } from '#contract/archive/archive-endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { createPasswordReset, resetPassword } from '#contract/password-resets/endpoints.ts'
import { calls, requestOf } from '../testing/calls.ts'
import { contentOf } from '../testing/content.ts'
import { programWith } from '../testing/programs.ts'
import { startWorld, type World } from '../testing/world.ts'

const suspension = { reason: 'Unkind.', until: null, hidesTexts: true }

/** A world whose user is suspended, and a program with the token of the refused sign-in. */
async function start() {
  const world = await startWorld()
  const params = { id: world.known.id }
  await world.callers.admin.does(suspendPerson, { params, input: suspension })
  const token = await tokenOf(world)
  return { world, params, token, program: programWith(world.request, token) }
}

async function tokenOf({ visitor, known: { email, password } }: World) {
  const { body } = await visitor().tries(login, { input: { email, password } })
  return (body as unknown as { current: OwnSuspension }).current.exportToken
}

/** Without the log, in which refused calls are counted. */
const lasting = async ({ db }: World) => ({ ...(await contentOf(db)), audit_log: [] })

test('a suspended person reads what is theirs by the token of the sign-in, and every other call refuses it and changes nothing [INST-04 S62]', async () => {
  const { world, program } = await start()
  const before = await lasting(world)
  const isOfArchive = ({ endpoint }: (typeof calls)[number]) => archiveEndpoints.includes(endpoint)
  for (const row of calls.filter(isOfArchive)) {
    const answer = await program.request(requestOf(row, row.make(world)))
    expect([row.name, answer.statusCode]).toEqual([row.name, row.answers.user])
  }
  for (const row of calls.filter((each) => !isOfArchive(each))) {
    const answer = await program.request(requestOf(row, row.make(world)))
    expect([row.name, answer.statusCode]).toEqual([row.name, 403])
    expect(answer.json()).toMatchObject({ code: expect.stringMatching(/^(TokenNotAllowed|NotAllowed)$/) })
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(await lasting(world)).toEqual(before)
  const named = calls.filter(isOfArchive).map(({ endpoint }) => endpoint)
  expect(new Set(named).size).toBe(archiveEndpoints.length)
  const { id, email } = world.known
  expect(await program.does(getMe)).toMatchObject({ id, email })
})

test.each([
  [
    'an hour',
    async ({ clock }: World) => {
      clock.advance(60 * 60_000)
    },
  ],
  [
    'the end of the suspension',
    async ({ callers, known }: World) => {
      await callers.admin.does(liftSuspension, { params: { id: known.id } })
    },
  ],
  [
    'a new passcode',
    async ({ callers, known, visitor }: World) => {
      const { token } = await callers.admin.does(createPasswordReset, { params: { id: known.id } })
      await visitor().does(resetPassword, { input: { token, newPassword: 'another passcode' } })
    },
  ],
])('the token of a suspended person is no good after %s [INST-04 S62]', async (_what, happen) => {
  const { world, program } = await start()
  await program.does(getDiary)
  await happen(world)
  expect(await program.tries(getDiary)).toMatchObject({ status: 401, code: 'TokenRefused' })
})

test('a changed token, and one for another person, are refused [INST-04 S62]', async () => {
  const { world, token } = await start()
  const [begin, end = '', signature = ''] = token.split('.')
  const wrong = [
    `${begin}.${Number(end) + 1}.${signature}`,
    `zme_${world.callers.member.me.id}.${end}.${signature}`,
    `zme_${'0'.repeat(10)}.${end}.${signature}`,
    `${begin}.${end}.${'A'.repeat(43)}`,
    `${token}a`,
  ]
  for (const each of wrong)
    expect(await programWith(world.request, each).tries(getDiary)).toMatchObject({
      status: 401,
      code: 'TokenRefused',
    })
})
