import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import {
  addFriend,
  blockPerson,
  listFriends,
  removeFriend,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import { friendsMax } from '#contract/friends/friend.ts'
import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  declineAcceptance,
  getInvitation,
  listAcceptances,
  listInvitations,
  withdrawInvitation,
} from '#contract/invitations/endpoints.ts'
import { openInvitationsMax, waitingAcceptancesMax } from '#contract/invitations/invitation.ts'
import { createLog } from '#server/log.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { purgeInvitations } from './queries.ts'

const day = 24 * 60 * 60_000

const look = (who: Client, token: string) => who.tries(getInvitation, { input: { token } })
const accept = (who: Client, token: string) => who.tries(acceptInvitation, { input: { token } })
const confirm = (who: Client, whom: Client) => who.tries(confirmAcceptance, { input: { userId: whom.me.id } })
const decline = (who: Client, whom: Client) =>
  who.tries(declineAcceptance, { params: { userId: whom.me.id } })
const waitingFor = async (who: Client) => (await who.does(listAcceptances)).map(({ userId }) => userId)
const friendsOf = async (who: Client) => (await who.does(listFriends)).map(({ id }) => id)

const gone = { status: 404, code: 'InvitationNotFound' }

/** Ana has an invitation link, and Ben an account. */
async function startInvited() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await t.person({ firstName: 'Ben', lastName: 'Ode' })
  return { ...t, ana, ben, ...(await ana.does(createInvitation)) }
}

test('a person invites by a link, somebody follows it and says yes, and both are friends once the person has said yes too [PPL-07 S40]', async () => {
  const { app, ana, ben, token, expiresAt } = await startInvited()
  const [ofAna, ofBen] = [
    await openStream(app, ana, { inbox: ana.me.id }),
    await openStream(app, ben, { inbox: ben.me.id }),
  ]
  const invitation = { inviterName: 'Ana Lima', relation: 'none', friendId: null, roomId: null, expiresAt }
  expect(await look(ben, token)).toMatchObject({ status: 200, body: invitation })
  expect(await accept(ben, token)).toMatchObject({ status: 200, body: { ...invitation, relation: 'asked' } })
  expect((await look(ben, token)).body).toEqual({ ...invitation, relation: 'asked' })

  const waiting = { userId: ben.me.id, name: 'Ben Ode', acceptedAt: expect.any(String) }
  expect(await ofAna.receives('invitation.accepted')).toEqual(waiting)
  expect(await ana.does(listAcceptances)).toEqual([waiting])
  // Neither is a friend before both have said yes.
  expect([await friendsOf(ana), await friendsOf(ben)]).toEqual([[], []])

  const { id, username, firstName, lastName } = ben.me
  const friend = { id, username, firstName, lastName, email: null }
  expect(await confirm(ana, ben)).toMatchObject({ status: 200, body: friend })
  // The address of a person who follows a link stays hidden until that person writes.
  expect(await ofAna.receives('friend.added')).toEqual({ ...friend, addedByFriendAt: null })
  expect(await ofBen.receives('friend.added')).toMatchObject({
    id: ana.me.id,
    email: ana.me.email,
    addedByFriendAt: expect.any(String),
  })
  expect([await friendsOf(ana), await friendsOf(ben)]).toEqual([[ben.me.id], [ana.me.id]])
  expect(await ana.does(listAcceptances)).toEqual([])
  expect((await look(ben, token)).body).toEqual({ ...invitation, relation: 'friend', friendId: ana.me.id })
})

test('repeated calls of both people change nothing: one question, one friendship, each event once [PPL-07 R6]', async () => {
  const { app, db, ana, ben, token } = await startInvited()
  const stream = await openStream(app, ana, { inbox: ana.me.id })
  const asked = await Promise.all(Array.from({ length: 5 }, () => accept(ben, token)))
  for (const answer of asked) expect(answer).toMatchObject({ status: 200, body: { relation: 'asked' } })
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(ana, ben)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { id: ben.me.id } })
  const before = await contentOf(db)
  expect(await accept(ben, token)).toMatchObject({ status: 200, body: { relation: 'friend' } })
  expect((await confirm(ana, ben)).status).toBe(200)
  expect(await contentOf(db)).toEqual(before)
  await stream.receives('friend.added')
  expect(stream.received.map(({ name }) => name)).toEqual(['ready', 'invitation.accepted', 'friend.added'])
})

test('a visitor and a guest learn the name of the person who invites, and no address or id, and cannot say yes [PPL-07 S5]', async () => {
  const { visitor, guest, db, token, expiresAt } = await startInvited()
  const callers = [visitor(), await guest()]
  const before = await contentOf(db)
  for (const who of callers)
    expect((await look(who, token)).body).toEqual({
      inviterName: 'Ana Lima',
      relation: 'none',
      friendId: null,
      roomId: null,
      expiresAt,
    })
  const statuses = callers.map(async (who) => (await accept(who, token)).status)
  expect(await Promise.all(statuses)).toEqual([401, 403])
  expect(await contentOf(db)).toEqual(before)
})

test('a person without a name is called by the id, never by the username or the email address [PPL-07 S5]', async () => {
  const { db, visitor, ana, token } = await startInvited()
  await db.execute(
    sql`update users set first_name = null, last_name = null, username = 'anna.koenig.1987' where id = ${ana.me.id}`,
  )
  expect((await look(visitor(), token)).body).toMatchObject({ inviterName: `User ${ana.me.id}` })
})

test('a link is good for seven days by the clock of the database: after that nobody says yes by it, and it is not listed [PPL-07]', async () => {
  const { clock, ana, ben, token, createdAt, expiresAt } = await startInvited()
  // The database reads its clock for each of the two times.
  expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000)).toBe((7 * day) / 1000)
  clock.advance(7 * day - 1000)
  expect((await look(ben, token)).status).toBe(200)
  expect(await ana.does(listInvitations)).toHaveLength(1)
  clock.advance(2000)
  for (const answer of [await look(ben, token), await accept(ben, token)]) expect(answer).toMatchObject(gone)
  expect(await ana.does(listInvitations)).toEqual([])
  expect(await waitingFor(ana)).toEqual([])
})

test('a person withdraws a link: nobody can follow it any more, and those who followed it before still wait [PPL-07]', async () => {
  const { person, ana, ben, token, id } = await startInvited()
  const cem = await person()
  await accept(cem, token)
  expect(await ben.tries(withdrawInvitation, { params: { id } })).toMatchObject(gone)
  expect((await look(ben, token)).status).toBe(200)
  await ana.does(withdrawInvitation, { params: { id } })
  for (const answer of [await look(ben, token), await accept(ben, token)]) expect(answer).toMatchObject(gone)
  expect(await ana.tries(withdrawInvitation, { params: { id } })).toMatchObject(gone)
  expect(await ana.does(listInvitations)).toEqual([])
  expect(await waitingFor(ana)).toEqual([cem.me.id])
  expect((await confirm(ana, cem)).status).toBe(200)
})

test('a link that is unknown, expired, withdrawn, of a deleted account or of somebody who is blocked gets one answer, and nothing changes [PPL-04 PPL-05 PPL-07 S6]', async () => {
  const { db, clock, person, ben, token: expired } = await startInvited()
  clock.advance(7 * day + 1000)
  const owners = [await person(), await person(), await person(), await person()] as const
  const [withdrawer, leaver, blocker, blocked] = owners
  const made = await Promise.all(owners.map((owner) => owner.does(createInvitation)))
  await withdrawer.does(withdrawInvitation, { params: { id: made[0]!.id } })
  await leaver.does(deleteAccount)
  await blocker.does(blockPerson, { input: { userId: ben.me.id } })
  await ben.does(blockPerson, { input: { userId: blocked.me.id } })
  const before = await contentOf(db)
  const shown = new Set<string>()
  for (const token of ['nobody', '', expired, ...made.map((each) => each.token)])
    for (const { status, body } of [await look(ben, token), await accept(ben, token)])
      shown.add(JSON.stringify([status, body]))
  expect([...shown]).toEqual([
    JSON.stringify([404, { code: 'InvitationNotFound', error: 'This invitation is no longer open.' }]),
  ])
  expect(await contentOf(db)).toEqual(before)
})

test('a person who blocks somebody who waits no longer sees them, and answers as if nobody waited; after the block is removed they wait again [PPL-04 PPL-05]', async () => {
  const { app, ana, ben, token } = await startInvited()
  await accept(ben, token)
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    await one.does(blockPerson, { input: { userId: other.me.id } })
    expect(await waitingFor(ana)).toEqual([])
    for (const answer of [await confirm(ana, ben), await decline(ana, ben)])
      expect(answer).toMatchObject({ status: 404, code: 'AcceptanceNotFound' })
    expect([await friendsOf(ana), await friendsOf(ben)]).toEqual([[], []])
    const device = await openStream(app, ana, { inbox: ana.me.id, after: `1.${ana.me.id}.0` })
    await device.receives('ready')
    expect(device.all('invitation.accepted')).toEqual([])
    await one.does(unblockPerson, { params: { userId: other.me.id } })
    expect(await waitingFor(ana)).toEqual([ben.me.id])
  }
})

test('a person says no: the other is not told and cannot ask again by an earlier link, but by a later one [PPL-07]', async () => {
  const { clock, app, ana, ben, token } = await startInvited()
  const later = await ana.does(createInvitation)
  await accept(ben, token)
  const stream = await openStream(app, ben, { inbox: ben.me.id })
  expect((await decline(ana, ben)).body).toEqual({ ok: true })
  for (const known of [token, later.token]) {
    expect((await look(ben, known)).body).toMatchObject({ relation: 'asked' })
    expect((await accept(ben, known)).body).toMatchObject({ relation: 'asked' })
  }
  expect(await waitingFor(ana)).toEqual([])
  expect(await confirm(ana, ben)).toMatchObject({ status: 404, code: 'AcceptanceNotFound' })
  expect(await decline(ana, ben)).toMatchObject({ status: 404, code: 'AcceptanceNotFound' })
  expect([await friendsOf(ana), await friendsOf(ben)]).toEqual([[], []])
  expect(stream.received.map(({ name }) => name)).toEqual(['ready'])
  clock.advance(1000)
  const { token: third } = await ana.does(createInvitation)
  expect((await look(ben, third)).body).toMatchObject({ relation: 'none' })
  await accept(ben, third)
  expect(await waitingFor(ana)).toEqual([ben.me.id])
})

test('people who followed the links of each other become friends on any path: after the friendship ends nobody waits again [PPL-07]', async () => {
  const { ana, ben, token } = await startInvited()
  const ofBen = await ben.does(createInvitation)
  const befriend = [
    () => ana.does(addFriend, { input: { friendUserId: ben.me.id } }),
    () => ana.does(confirmAcceptance, { input: { userId: ben.me.id } }),
  ]
  for (const become of befriend) {
    await accept(ben, token)
    await accept(ana, ofBen.token)
    expect([await waitingFor(ana), await waitingFor(ben)]).toEqual([[ben.me.id], [ana.me.id]])
    await become()
    await ben.does(removeFriend, { params: { userId: ana.me.id } })
    expect([await waitingFor(ana), await waitingFor(ben)]).toEqual([[], []])
  }
})

test('a person cannot accept the own link, and friends are told that they are friends [PPL-07]', async () => {
  const { db, ana, ben, token } = await startInvited()
  await ben.does(addFriend, { input: { friendUserId: ana.me.id } })
  const before = await contentOf(db)
  expect((await look(ana, token)).body).toMatchObject({ relation: 'own' })
  expect(await accept(ana, token)).toMatchObject({ status: 400, code: 'OwnInvitation' })
  for (const answer of [await look(ben, token), await accept(ben, token)])
    expect(answer.body).toMatchObject({ relation: 'friend' })
  expect(await contentOf(db)).toEqual(before)
})

test('only the person who was asked can answer: nobody else confirms or declines, and a stranger who never said yes is no friend [PPL-07 S3]', async () => {
  const { person, db, ana, ben, token } = await startInvited()
  const cem = await person()
  await accept(ben, token)
  const before = await contentOf(db)
  for (const [who, whom] of [
    [ben, ana],
    [cem, ben],
    [cem, ana],
    [ana, cem],
    [ana, ana],
  ] as const)
    for (const answer of [await confirm(who, whom), await decline(who, whom)])
      expect(answer).toMatchObject({ status: 404, code: 'AcceptanceNotFound' })
  expect(await contentOf(db)).toEqual(before)
})

test('of a token only its hash is stored: no table, log line or stored answer contains it, also when the call is retried with its key [PPL-07 S5 R7]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const { person, db } = await startTestApp({ logger })
  const [ana, ben] = [await person(), await person()]
  const headers = { 'idempotency-key': 'one-link' }
  const { token } = await ana.does(createInvitation, { headers })
  const { token: ofRetry } = await ana.does(createInvitation, { headers })
  // 256 bits each.
  for (const each of [token, ofRetry]) expect(each).toMatch(/^[\w-]{43}$/)
  await ben.does(getInvitation, { input: { token }, headers })
  await ben.does(acceptInvitation, { input: { token }, headers })
  await ana.does(confirmAcceptance, { input: { userId: ben.me.id }, headers })
  const stored = JSON.stringify(await contentOf(db))
  expect(lines.length).toBeGreaterThan(0)
  for (const each of [token, ofRetry]) {
    expect(stored).not.toContain(each)
    expect(lines.join('')).not.toContain(each)
  }
  expect(JSON.stringify(await ana.does(listInvitations))).not.toContain(token)
})

test('a person has ten open links at most, also when they are made at once; a withdrawn or expired one makes room [PPL-07 R6 S31]', async () => {
  const { clock, ana } = await startInvited()
  const answers = await Promise.all(
    Array.from({ length: openInvitationsMax + 3 }, () => ana.tries(createInvitation)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(openInvitationsMax - 1)
  const refused = answers.filter(({ code }) => code === 'TooManyInvitations')
  expect(refused).toHaveLength(4)
  const open = await ana.does(listInvitations)
  expect(open).toHaveLength(openInvitationsMax)
  await ana.does(withdrawInvitation, { params: { id: open[0]!.id } })
  expect((await ana.tries(createInvitation)).status).toBe(201)
  expect((await ana.tries(createInvitation)).code).toBe('TooManyInvitations')
  clock.advance(7 * day + 1000)
  expect((await ana.tries(createInvitation)).status).toBe(201)
})

test('fifty people at most wait for the answer of one person; the next one is asked to try later, and nothing is stored [PPL-07 S31]', async () => {
  const { db, person, ana, ben, token } = await startInvited()
  await db.execute(sql`
    insert into users (id, username, is_anonymous, is_admin, created_at)
    select 'q' || lpad(n::text, 9, '0'), 'reader' || n, false, false, app_now() from generate_series(1, ${waitingAcceptancesMax}) n`)
  await db.execute(sql`
    insert into invitation_acceptances (inviter_id, person_id, accepted_at)
    select ${ana.me.id}, id, app_now() from users where username like 'reader%'`)
  const before = await contentOf(db)
  expect(await accept(ben, token)).toMatchObject({ status: 400, code: 'TooManyAcceptances' })
  expect(await contentOf(db)).toEqual(before)
  // Blocked people take no room.
  const cem = await person()
  await ana.does(blockPerson, { input: { userId: 'q000000001' } })
  expect((await accept(cem, token)).status).toBe(200)
  expect(await ana.does(listAcceptances)).toHaveLength(waitingAcceptancesMax)
})

test('nobody gets more than 1,000 friends by a link, and the person still waits [PPL-07]', async () => {
  const { db, ana, ben, token } = await startInvited()
  await accept(ben, token)
  await db.execute(sql`
    insert into users (id, username, is_anonymous, is_admin, created_at)
    select 'q' || lpad(n::text, 9, '0'), 'reader' || n, false, false, app_now() from generate_series(1, ${friendsMax}) n`)
  await db.execute(sql`
    insert into friendships (id, low_id, high_id, created_at, low_shows_email, high_shows_email)
    select gen_random_uuid(), least(id collate "C", ${ben.me.id}), greatest(id collate "C", ${ben.me.id}), app_now(), false, false
    from users where username like 'reader%'`)
  expect(await confirm(ana, ben)).toMatchObject({ status: 400, code: 'TooManyFriends' })
  expect(await waitingFor(ana)).toEqual([ben.me.id])
})

test('a person who asks for links, looks them up or follows them too often is asked to wait [PPL-07 S47]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const { token } = await ana.does(createInvitation)
  const answers = async (count: number, call: () => Promise<{ status: number }>) => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await call()).status)
    return statuses.slice(-2)
  }
  const stranger = visitor()
  const remote = { method: 'POST', url: getInvitation.path, remoteAddress: '203.0.113.9' } as const
  const lookFromAway = async () => ({
    status: (await stranger.request({ ...remote, payload: { token } })).statusCode,
  })
  expect(await answers(31, lookFromAway)).toEqual([200, 429])
  expect(await answers(20, () => ana.tries(createInvitation))).toEqual([400, 429])
  const ben = await person()
  expect(await answers(21, () => accept(ben, token))).toEqual([200, 429])
})

test('an account that is deleted leaves no link, question or event on either side [PPL-07 S15]', async () => {
  const { db, person, ana, ben, token } = await startInvited()
  const cem = await person()
  const ofBen = await ben.does(createInvitation)
  await accept(ben, token)
  await accept(ana, ofBen.token)
  await accept(cem, token)
  await ana.does(deleteAccount)
  const { audit_log: _kept, ...content } = await contentOf(db)
  expect(JSON.stringify(content)).not.toContain(ana.me.id)
  expect(content.invitations).toHaveLength(1)
  expect(await ben.does(listAcceptances)).toEqual([])
})

test('two people who have said yes to each other delete their accounts at the same time [PPL-07 S15 R5 R6]', async () => {
  const { db, ana, ben, token } = await startInvited()
  const ofBen = await ben.does(createInvitation)
  await accept(ben, token)
  await accept(ana, ofBen.token)
  // Both deletions wait here, each with its first locks.
  const release = await holdLocks(db, sql`lock table invitation_acceptances in access exclusive mode`)
  const answers = [ana.tries(deleteAccount), ben.tries(deleteAccount)]
  await untilLockWaits(db, 2)
  await release()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
})

test('links that are over and questions of a month ago are deleted; open ones stay [PPL-07 S15]', async () => {
  const { db, clock, person, ana, ben, token } = await startInvited()
  await accept(ben, token)
  clock.advance(7 * day + 1000)
  const { token: open } = await ana.does(createInvitation)
  await purgeInvitations(db)
  expect((await contentOf(db)).invitations).toHaveLength(1)
  expect(await waitingFor(ana)).toEqual([ben.me.id])
  clock.advance(6 * day)
  await accept(await person(), open)
  clock.advance(18 * day)
  await purgeInvitations(db)
  const { invitations, invitation_acceptances: waiting } = await contentOf(db)
  expect([invitations, waiting]).toMatchObject([[], [expect.stringContaining(ana.me.id)]])
  expect(waiting!.join()).not.toContain(ben.me.id)
})
