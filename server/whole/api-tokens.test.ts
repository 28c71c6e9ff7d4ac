import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { type TokenScope, tokenScopes } from '#contract/account/tokens/scopes.ts'
import { contractNames } from '../contract-names.ts'
import { calls, type CallRow, requestOf } from '../testing/calls.ts'
import { contentOf } from '../testing/content.ts'
import { newToken, programWith } from '../testing/programs.ts'
import { readDescription } from '../testing/described-calls.ts'
import type { Client } from '../testing/test-app.ts'
import { shareWorld, startWorld, type World } from '../testing/world.ts'

/** What each scope lets a token call. Every other call but those of `callsOfEveryToken` refuses every token. */
const callsOfScope: Record<TokenScope, string> = {
  'posts:read': `getFeedDay getPost getLastFeedDay getPostNeighbours listMoreByAuthor getPerson listPersonPosts
    listPersonStories listOwnPosts listOwnPostIds getOwnPost listPostVersions getPostVersion listOwnTexts
    listTakenBackPosts listScheduledPosts`,
  'posts:write': `submitPost changePost takeBackPost restorePost deleteTakenBackPost changePublishTime
    publishScheduledPost unschedulePost listDrafts createDraft getDraft saveDraft deleteDraft`,
  diary: 'getDiary getDiaryEntry saveDiaryEntry getCalendar saveCalendarNote',
  rooms: `listRooms listFeedRooms listOpenRooms listSlowRooms listFinishedRooms listOwnStories getRoom getRoomMembership
    changeRoomMembership listPassages getRoomStory createRoom joinRoom sendPassage announceWriting openStream
    getTurn takeSeat renewLease passTurn returnToTable hostTable addAside listAsides getReceipt getRoomSeal getSealFingerprint`,
  messages: 'listFriends listMessages sendMessage deleteMessage markRead countUnread',
}
/** What every token may call. */
const callsOfEveryToken = [
  'getMe',
  'getConfig',
  'getInstance',
  'getInstancePage',
  'getCurrentIssue',
  'search',
]
const all = Object.keys(tokenScopes) as TokenScope[]
const nameOf = (endpoint: Endpoint) => contractNames.nameOf(endpoint)!.operationId
const isForEveryToken = ({ endpoint }: CallRow) => callsOfEveryToken.includes(nameOf(endpoint))
const scopeOf = (endpoint: Endpoint) =>
  all.find((scope) => callsOfScope[scope].split(/\s+/).includes(nameOf(endpoint)))

const shared = shareWorld()
let tokens: { all: string; without: Record<TokenScope, string> }
beforeAll(async () => {
  const { user } = shared().callers
  const without = {} as Record<TokenScope, string>
  for (const scope of all) without[scope] = (await newToken(user, ...all.filter((s) => s !== scope))).token
  tokens = { all: (await newToken(user, ...all)).token, without }
})

/** Makes the call, expects its refusal and that nothing has changed, but for the last use and the audit log. */
async function expectRefused(world: World, row: CallRow, client: Client, code: string) {
  const lasting = async () => {
    const { api_tokens: _used, audit_log: _audited, ...others } = await contentOf(world.db)
    return others
  }
  const before = await lasting()
  const answer = await client.request(requestOf(row, row.make(world)))
  expect([row.name, answer.statusCode, answer.json()]).toMatchObject([row.name, 403, { code }])
  expect(await lasting()).toEqual(before)
  return answer
}

test('the description names the scope of each call, and these calls alone take tokens [INST-11 S61]', async () => {
  const world = shared()
  const { paths, components } = readDescription((await world.request({ url: '/openapi.json' })).body)
  expect(components.securitySchemes).toMatchObject({ token: { type: 'http', scheme: 'bearer' } })
  const found = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, security }) =>
      (security as { token?: TokenScope[] }[]).flatMap(({ token }) =>
        token?.length === 0 ? [operationId] : (token ?? []).map((scope) => `${scope} ${operationId}`),
      ),
    )
  const expected = [
    ...callsOfEveryToken,
    ...all.flatMap((scope) => callsOfScope[scope].split(/\s+/).map((name) => `${scope} ${name}`)),
  ]
  expect(found.toSorted()).toEqual(expected.toSorted())
})

test.each(calls.filter((row) => scopeOf(row.endpoint) === undefined && !isForEveryToken(row)))(
  '$name refuses a token with every scope and changes nothing [INST-11 S61]',
  async (row) => {
    const world = shared()
    const isForAdmins = row.answers.user === 403 && row.answers.admin < 300
    const code = isForAdmins ? 'NotAllowed' : 'TokenNotAllowed'
    const refused = await expectRefused(world, row, programWith(world.request, tokens.all), code)
    expect(refused.headers['set-cookie']).toBeUndefined()
  },
)

test.each(calls.filter(({ endpoint }) => scopeOf(endpoint) !== undefined))(
  '$name answers a token with its scope like its person, and refuses one without it [INST-11 S61]',
  async (row) => {
    const scope = scopeOf(row.endpoint)!
    await expectRefused(
      shared(),
      row,
      programWith(shared().request, tokens.without[scope]),
      'TokenNotAllowed',
    )
    const world = await startWorld()
    const owner = world.callers[row.answers.user < 300 ? 'user' : 'member']
    // A message may contain a day of the diary.
    const { token } = await newToken(
      owner,
      scope,
      ...(nameOf(row.endpoint) === 'sendMessage' ? ['diary' as const] : []),
    )
    const answer = await programWith(world.request, token).request(requestOf(row, row.make(world)))
    expect(answer.statusCode).toBe(row.answers[owner === world.callers.user ? 'user' : 'member'])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  },
)

test('what a visitor may read, a token may read too: with its scope, or with any [INST-11]', () => {
  const isPublicRead = ({ endpoint, answers }: CallRow) => endpoint.method === 'GET' && answers.visitor < 300
  const refused = calls.filter(
    (row) => isPublicRead(row) && !isForEveryToken(row) && scopeOf(row.endpoint) === undefined,
  )
  expect(refused.map(({ name }) => name)).toEqual([])
})

test('the token of an admin makes no call of admins, and the attempt is in the audit log [INST-11 S61 S49]', async () => {
  const world = await startWorld()
  const { token } = await newToken(world.callers.admin, ...all)
  const program = programWith(world.request, token)
  const before = (await contentOf(world.db)).audit_log!
  for (const row of calls.filter(({ answers }) => answers.user === 403 && answers.admin < 300))
    await expectRefused(world, row, program, 'NotAllowed')
  const added = (await contentOf(world.db)).audit_log!.filter((line) => !before.includes(line))
  expect(added.length).toBeGreaterThan(0)
  for (const line of added) expect(line).toContain(',admin-call-refused,')
})

test.each(calls)(
  '$name answers an unknown token, and one in another form than `Bearer TOKEN`, with 401, also beside the cookie of a person who may call [INST-11 S61]',
  async (row) => {
    const world = shared()
    const before = await contentOf(world.db)
    const unknown = ['x', `zmr_${'a'.repeat(43)}`, tokens.all.toUpperCase(), `${tokens.all}a`]
    const inOtherForm = ['Bearer ', tokens.all, `Token ${tokens.all}`, `Bearer:${tokens.all}`]
    const wrong = [
      ...unknown.map((token) => [`Bearer ${token}`, 'This token is unknown or has ended.']),
      ...inOtherForm.map((header) => [
        header,
        'Please send the token in the form "Authorization: Bearer TOKEN".',
      ]),
    ] as const
    for (const [authorization, error] of wrong) {
      const headers = { authorization }
      const request = { ...requestOf(row, row.make(world)), headers }
      for (const client of [world.visitor(), world.callers.user, world.callers.admin]) {
        const answer = await client.request(request)
        expect([answer.statusCode, answer.json()]).toEqual([401, { code: 'TokenRefused', error }])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)
