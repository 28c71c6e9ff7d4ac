import { expect, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import {
  checkRegistrationLink,
  createRegistrationLink,
  endRegistrationLink,
  listRegistrationLinks,
} from '#contract/account/registration/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { contentOf, withoutLog } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { startRegistration } from '#server/testing/registration.ts'
import { purgeLinks } from './registration-links.ts'
import { registrationLinks } from './schema.ts'

const day = 86_400_000

test('with the defaults people sign up as before, the configuration of the page names no restriction, and nobody can ask for an account [INST-02]', async () => {
  const { ways, ask, visitor, guest } = await startRegistration()
  expect(await visitor().does(getConfig)).not.toHaveProperty('access')
  expect((await ways[0]!()).status).toBe(201)
  expect((await ways[1]!({ email: 'other@example.org', registrationToken: 'none' })).status).toBe(201)
  expect((await (await guest()).tries(getMe)).status).toBe(200)
  expect(await ask({ email: 'third@example.org' })).toMatchObject({
    status: 403,
    code: 'RegistrationNotByApproval',
  })
})

test.each([
  ['closed', 'RegistrationClosed'],
  ['approval', 'RegistrationNeedsApproval'],
  ['invitation', 'RegistrationNeedsLink'],
] as const)(
  'where the registration is %s, no call of the specification makes an account, also not for a guest [INST-02]',
  async (registration, code) => {
    const { ways, guest, visitor, db } = await startRegistration({ registration })
    const someone = await guest()
    const before = await contentOf(db)
    for (const way of ways)
      for (const by of [visitor(), someone])
        expect(await way({}, by)).toMatchObject({ status: 403, code, error: errors[code].error })
    expect(withoutLog(await contentOf(db))).toEqual(withoutLog(before))
  },
)

test('a closed registration takes no link and no request, and opens again by the setting [INST-02]', async () => {
  const { ways, ask, makeLink, set, db } = await startRegistration({ registration: 'closed' })
  const { token } = await makeLink()
  const before = await contentOf(db)
  expect((await ways[0]!({ registrationToken: token })).code).toBe('RegistrationClosed')
  expect((await ask()).code).toBe('RegistrationNotByApproval')
  expect(withoutLog(await contentOf(db))).toEqual(withoutLog(before))
  await set({ registration: 'invitation' })
  expect((await ways[0]!({ registrationToken: token })).status).toBe(201)
})

test('people sign up by a link as often as it allows, by both calls, and then nobody more [INST-02 S57]', async () => {
  const { ways, makeLink, visitor, boss, db } = await startRegistration({ registration: 'invitation' })
  const { token, ...link } = await makeLink(2)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(await contentOf(db))).not.toContain(token)
  expect(await visitor().does(checkRegistrationLink, { input: { token } })).toEqual({ ok: true })
  for (const wrong of ['none', token.slice(1)])
    expect(await ways[0]!({ registrationToken: wrong })).toMatchObject({
      status: 403,
      code: 'RegistrationLinkRefused',
    })
  expect((await ways[0]!({ registrationToken: token })).status).toBe(201)
  // A refusal for another reason uses nothing up.
  expect((await ways[1]!({ registrationToken: token })).code).toBe('EmailTaken')
  expect(await boss.does(listRegistrationLinks)).toEqual([{ ...link, uses: 1 }])
  expect((await ways[1]!({ registrationToken: token, email: 'second@example.org' })).status).toBe(201)
  const before = await contentOf(db)
  expect((await ways[0]!({ registrationToken: token, email: 'third@example.org' })).code).toBe(
    'RegistrationLinkRefused',
  )
  expect((await visitor().tries(checkRegistrationLink, { input: { token } })).code).toBe(
    'RegistrationLinkRefused',
  )
  expect(withoutLog(await contentOf(db))).toEqual(withoutLog(before))
  expect(await boss.does(listRegistrationLinks)).toEqual([])
})

test('of two people at the last use of a link one gets it [INST-02]', async () => {
  const { ways, makeLink, db } = await startRegistration({ registration: 'invitation' })
  const { token } = await makeLink(1)
  const lock = await db.pool.connect()
  await lock.query('begin')
  await lock.query('select 1 from registration_links for update')
  const both = ['one@example.org', 'two@example.org'].map((email) =>
    ways[0]!({ registrationToken: token, email }),
  )
  await untilLockWaits(db, 2)
  await lock.query('commit')
  lock.release()
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([201, 403])
  const [stored] = await db.select().from(registrationLinks)
  expect(stored!.uses).toBe(1)
})

test('a link is over at its end, and when an admin ends it; the log names who made and ended it [INST-02 S49]', async () => {
  const { ways, makeLink, boss, ana, clock, db, audited } = await startRegistration({
    registration: 'invitation',
  })
  const [first, second] = [await makeLink(5, 7), await makeLink(5, 30)]
  expect((await boss.does(listRegistrationLinks)).map(({ id }) => id)).toEqual([second.id, first.id])
  for (const { token } of [first, second]) expect(JSON.stringify(await audited())).not.toContain(token)
  clock.advance(7 * day)
  await boss.does(login, { input: { email: boss.me.email!, password: 'a long admin password' } })
  expect((await ways[0]!({ registrationToken: first.token })).code).toBe('RegistrationLinkRefused')
  await purgeLinks(db)
  expect(await db.$count(registrationLinks)).toBe(1)
  const params = { id: second.id }
  expect((await ana.tries(endRegistrationLink, { params })).status).toBe(403)
  await boss.does(endRegistrationLink, { params })
  expect((await ways[0]!({ registrationToken: second.token })).code).toBe('RegistrationLinkRefused')
  expect((await boss.tries(endRegistrationLink, { params })).code).toBe('RegistrationLinkNotFound')
  expect(await audited()).toEqual(
    expect.arrayContaining([
      { action: 'registration-link', subjectId: second.id, details: { people: '5', days: '30' } },
      { action: 'registration-link-ended', subjectId: second.id, details: null },
    ]),
  )
})

test('there are at most 100 open links [INST-02 S30]', async () => {
  const { makeLink, boss } = await startRegistration()
  for (let n = 0; n < 100; n++) await makeLink()
  const input = { label: '', maxUses: 1, days: 1 }
  expect((await boss.tries(createRegistrationLink, { input })).code).toBe('TooManyRegistrationLinks')
  expect(await boss.does(listRegistrationLinks)).toHaveLength(100)
})
