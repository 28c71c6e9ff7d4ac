import { expect, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { listScheduledPosts } from '#contract/feed/scheduled/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, listRooms, sendPassage } from '#contract/rooms/endpoints.ts'
import { createLog } from '#server/log.ts'
import { contentOf } from '#server/testing/content.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { ana, newToken, startWithAna } from '#server/testing/programs.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { addressOf, openStream, tryToOpenStream } from '#server/testing/stream-client.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { listEndedSessions } from './sessions.ts'
import { saveSuspension } from './suspensions.ts'

test('a call with a cookie and a token is decided by the token alone [INST-11 S61]', async () => {
  const { owner, person, programOf, visitor } = await startWithAna()
  const ben = await person()
  const { token } = await newToken(ben, 'diary')
  await programOf(token).does(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Of Ben.' } })
  const headers = { authorization: `Bearer ${token}` }
  for (const browser of [owner, visitor()]) {
    expect(await browser.does(getDiary, { headers })).toMatchObject([{ content: 'Of Ben.' }])
    expect(await browser.tries(getSettings, { headers })).toMatchObject({
      status: 403,
      code: 'TokenNotAllowed',
    })
  }
  expect(await owner.does(getDiary)).toEqual([])
  // A proxy in front of the server may ask for a password of its own.
  expect(await owner.does(getDiary, { headers: { authorization: 'Basic YTpi' } })).toEqual([])
})

test('a program learns from its token for whom it acts, without the email address [INST-11 S61]', async () => {
  const { owner, programOf } = await startWithAna()
  const { token } = await newToken(owner, 'messages')
  expect(await programOf(token).does(getMe)).toEqual({ ...owner.me, email: null })
  expect((await owner.does(getMe)).email).toBe(ana.email)
})

test('a token that the suspension of its person has left does nothing, and its streams end [INST-11 S61]', async () => {
  const { owner, programOf, db } = await startWithAna()
  const { token } = await newToken(owner, 'diary')
  const opened = [{ tokenHash: digestOf(token), kind: 'apiToken' as const }]
  expect((await programOf(token).tries(getDiary)).status).toBe(200)
  expect(await listEndedSessions(db, opened)).toEqual([])
  await saveSuspension(db, owner.me.id, { reason: 'Unkind.', until: null, hidesTexts: false })
  expect((await programOf(token).tries(getDiary)).status).toBe(401)
  expect(await listEndedSessions(db, opened)).toEqual([digestOf(token)])
})

test('the streams of a token end when it expires [INST-11 S61 R10]', async () => {
  const { owner, clock, db } = await startWithAna()
  const { token, expiresAt } = await newToken(owner, 'rooms')
  const opened = [{ tokenHash: digestOf(token), kind: 'apiToken' as const }]
  clock.advance(Date.parse(expiresAt) - clock.now().getTime() - 1000)
  expect(await listEndedSessions(db, opened)).toEqual([])
  clock.advance(1000)
  expect(await listEndedSessions(db, opened)).toEqual([digestOf(token)])
})

test('calls of a token count under the limits of its person [INST-11 S61 S47]', async () => {
  const { owner, programOf } = await startWithAna({ config: { limitsRates: true } })
  const programs = [owner]
  for (let n = 0; n < 2; n++) programs.push(programOf((await newToken(owner, 'posts:read')).token))
  for (let n = 0; n < 60; n++) await programs[n % 3]!.does(listScheduledPosts)
  for (const program of programs) expect((await program.tries(listScheduledPosts)).status).toBe(429)
})

test('a token for messages sends no day of the diary, which it could then read [INST-11 S44]', async () => {
  const { owner, person, programOf, db } = await startWithAna()
  const ben = await person()
  await owner.does(addFriend, { input: { friendUserId: ben.me.id } })
  await owner.does(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Rain.' } })
  const [weak, strong] = [await newToken(owner, 'messages'), await newToken(owner, 'messages', 'diary')]
  const input = { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-10' } as const
  await programOf(weak.token).does(listMessages, { params: { friendId: ben.me.id } })
  const before = await contentOf(db)
  expect(await programOf(weak.token).tries(sendMessage, { input })).toMatchObject({
    status: 403,
    error: 'This call needs a token with the scope "diary".',
  })
  expect(await contentOf(db)).toEqual(before)
  await programOf(strong.token).does(sendMessage, { input })
  const text = { messageType: 'text', receiverId: ben.me.id, content: 'Good morning' } as const
  await programOf(weak.token).does(sendMessage, { input: text })
})

test('the page of another site calls with a token, after its browser has asked, and never with a cookie [INST-11 S24 S26]', async () => {
  const { owner, request, db } = await startWithAna()
  const { token } = await newToken(owner, 'diary', 'rooms')
  const foreign = { origin: 'https://reader.example', 'sec-fetch-site': 'cross-site' }
  const ask = (names: string, url = '/api/diary/save') =>
    request({
      method: 'OPTIONS',
      url,
      headers: {
        ...foreign,
        'access-control-request-method': 'POST',
        'access-control-request-headers': names,
      },
    })
  const preflight = await ask('authorization,content-type')
  expect([preflight.statusCode, preflight.body]).toEqual([204, ''])
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': expect.stringContaining('authorization, content-type, expected-person'),
  })
  expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials')
  for (const other of [
    await ask('content-type'),
    await ask('x-authorization'),
    await ask('authorization', '/dashboard'),
  ]) {
    expect(other.statusCode).toBe(405)
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
  }
  const input = { date: '2025-06-10', content: 'Rain.' }
  const before = await contentOf(db)
  const byCookie = await owner.tries(saveDiaryEntry, { input, headers: foreign })
  expect(byCookie).toMatchObject({ status: 403, code: 'ForeignRequest' })
  expect(await contentOf(db)).toEqual(before)
  const headers = { ...foreign, authorization: `Bearer ${token}` }
  const byToken = await owner.tries(saveDiaryEntry, { input, headers })
  expect([byToken.status, byToken.headers['access-control-allow-origin']]).toEqual([200, '*'])
  const form = await request({
    method: 'POST',
    url: '/api/diary/save',
    payload: 'a=b',
    headers: { ...headers, 'content-type': 'text/plain' },
  })
  expect(form.statusCode).toBe(415)
  // A method that the path does not take is refused as such.
  expect((await request({ method: 'PUT', url: '/api/diary/save', headers })).statusCode).toBe(405)
})

test('an answer that is repeated from memory has no header of a call with a token, and the other way round [INST-11 S26]', async () => {
  const { app, owner } = await startWithAna()
  const { token } = await newToken(owner, 'posts:read')
  const address = `${await addressOf(app)}/api/feed/day/0`
  const get = async (headers = {}) => {
    const answer = await fetch(address, { headers })
    await answer.text()
    return [answer.status, answer.headers.get('access-control-allow-origin')]
  }
  for (let round = 0; round < 3; round++) {
    expect(await get({ authorization: `Bearer ${token}` })).toEqual([200, '*'])
    expect(await get()).toEqual([200, null])
    expect(await get({ authorization: 'Bearer unknown' })).toEqual([401, '*'])
  }
})

test('no token is in a line of the log, in the metrics or in a failure [INST-11 S5 S49]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const { owner, programOf, request, db } = await startWithAna({ logger })
  const { token } = await newToken(owner, 'diary')
  const program = programOf(token)
  await program.does(getDiaryEntry, { params: { day: '2025-06-10' } })
  await program.tries(getMe)
  await programOf(`${token}x`).tries(getMe)
  await db.execute(`drop table diary_entries cascade`)
  expect((await program.tries(getDiary)).status).toBe(500)
  const seen = [...lines, (await request({ url: '/metrics' })).body].join('\n')
  expect(seen).toContain('unexpected')
  expect(seen).not.toContain(token.slice(4))
  expect(seen).not.toMatch(/bearer/i)
})

test('a token for Z!mmers opens the stream of the rooms of its person, and of no inbox [INST-11 S41 R10]', async () => {
  const { app, owner, person, visitor } = await startWithAna()
  const ben = await person()
  const [{ id: own }, { id: foreign }] = [
    await owner.does(createRoom, { input: aRoom({ isPublic: false }) }),
    await ben.does(createRoom, { input: aRoom({ isPublic: false }) }),
  ]
  const bearer = async (...scopes: Parameters<typeof newToken>[1][]) => ({
    authorization: `Bearer ${(await newToken(owner, ...scopes)).token}`,
  })
  const headers = await bearer('rooms')
  const stream = await openStream(app, visitor(), { rooms: [own, foreign], headers })
  expect(stream.all('ready')).toEqual([{ rooms: [own] }])
  expect(stream.headers.get('access-control-allow-origin')).toBe('*')
  await owner.does(sendPassage, { params: { id: own }, input: { content: 'It was late.' } })
  expect(await stream.receives('room.message')).toMatchObject({ content: 'It was late.' })
  const weak = await bearer('diary', 'messages')
  for (const wanted of [
    { inbox: owner.me.id, headers },
    { rooms: [own], inbox: owner.me.id, headers },
    { rooms: [own], headers: weak },
  ])
    expect((await tryToOpenStream(app, owner, wanted)).status).toBe(403)
  const answer = await visitor().request({ url: `/api/live?inbox=${owner.me.id}`, headers })
  expect(answer.json()).toEqual({
    code: 'TokenNotAllowed',
    error: 'A token cannot open a stream with "inbox".',
  })
})

const messengers = ['NOTIFY', 'Redis'] as const satisfies Messenger[]
test.for(messengers)(
  'over %s the streams of a token end at both processes within two seconds of a suspension [INST-11 S23 S62]',
  async (messenger, context) => {
    const { app, other, person, admin, visitor, atOther } = await startTwoApps(messenger, context)
    const [owner, boss] = [await person(ana), await admin()]
    const headers = { authorization: `Bearer ${(await newToken(owner, 'rooms')).token}` }
    const { id } = await boss.does(createRoom, { input: aRoom({}) })
    const ofBoss = { authorization: `Bearer ${(await newToken(boss, 'rooms')).token}` }
    const streams = [
      await openStream(app, visitor(), { rooms: [id], headers }),
      await openStream(other, visitor(), { rooms: [id], headers }),
    ]
    const stays = await openStream(other, visitor(), { rooms: [id], headers: ofBoss })
    const begun = performance.now()
    const input = { reason: 'Unkind', until: null, hidesTexts: false }
    await boss.does(suspendPerson, { params: { id: owner.me.id }, input })
    await Promise.all(streams.map((stream) => stream.ended))
    expect(performance.now() - begun).toBeLessThan(2000)
    expect((await atOther(visitor()).tries(listRooms, { headers })).status).toBe(401)
    const listed = atOther(visitor())
      .does(listRooms, { headers: ofBoss })
      .then(() => 'answered')
    expect(await Promise.race([stays.ended.then(() => 'ended'), listed])).toBe('answered')
  },
)
