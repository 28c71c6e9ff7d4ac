import { eq, sql } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { login } from '#contract/account/endpoints.ts'
import { addAllowance } from '#contract/allowances/endpoints.ts'
import { createPasswordReset } from '#contract/password-resets/endpoints.ts'
import { createRegistrationLink } from '#contract/account/registration/endpoints.ts'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { createApiToken } from '#contract/account/tokens/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { addBookmark } from '#contract/bookmarks/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDocument } from '#contract/documents/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, listPostVersions, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { followPerson } from '#contract/follows/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { acceptInvitation, createInvitation } from '#contract/invitations/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { addAside } from '#contract/rooms/table/endpoints.ts'
import { addMailLink } from '#server/features/mails/index.ts'
import { createWebhook } from '#contract/webhooks/endpoints.ts'
import { addRequest } from '#server/features/account/registration-requests.ts'
import { countRoomsThatEnded } from '#server/features/rooms/index.ts'
import { webhookDeliveries, webhooks } from '#server/features/webhooks/schema.ts'
import { testClock } from '#server/platform/clock.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { insertionsOf } from './content.ts'
import { aRoom } from './rooms.ts'
import { type Client, startTestApp } from './test-app.ts'

/** An app with the posts, rooms and people that the calls need. */
export type World = Awaited<ReturnType<typeof startWorld>>

/**
 * The kinds of callers. `user` owns the rooms, posts and messages of the world. `blocked` is a former friend, whom `user`
 * has blocked. `member` is a friend of `user` and a member of the rooms. `other`, `moderator` and `admin` are neither.
 */
export const callerKinds = [
  'visitor',
  'guest',
  'user',
  'other',
  'blocked',
  'member',
  'moderator',
  'admin',
] as const
export type CallerKind = (typeof callerKinds)[number]

type App = Awaited<ReturnType<typeof startTestApp>>
/** A browser with its session for each kind of caller. */
type Callers = Record<CallerKind, Client>
type Data = Omit<Awaited<ReturnType<typeof makeData>>, 'callers'>

/** The data of the first world of this worker. */
let first: { data: Data; rows: string; time: Date; sessions: Record<CallerKind, Session> } | undefined
type Session = Pick<Client, 'user' | 'cookies'>

/**
 * Starts an app with data for every call. Rates are not limited. Calls make the data of the first world of a worker. Later
 * worlds get the same rows and sessions, unless their options may change what the calls store or log.
 */
export async function startWorld(options: Parameters<typeof startTestApp>[0] = {}) {
  const config = { limitsRates: false, ...options.config }
  const isUsual = Object.keys(options).every((name) => name === 'atEnd')
  if (isUsual && first !== undefined) {
    const { data, rows, time, sessions } = first
    const t = await startTestApp({ ...options, config, rows, clock: testClock(time) })
    return worldOf(
      t,
      data,
      forEachKind((kind) => Object.assign(t.visitor(), copyOf(sessions[kind]))),
    )
  }
  const t = await startTestApp({ ...options, config })
  const { callers, ...data } = await makeData(t)
  if (isUsual) {
    const sessions = forEachKind((kind) => copyOf(callers[kind]))
    first = { data, rows: await insertionsOf(t.db), time: t.clock.now(), sessions }
  }
  return worldOf(t, data, callers)
}

function worldOf(t: App, data: Data, callers: Callers) {
  let count = 0
  return { ...t, ...data, callers, next: () => ++count }
}

const forEachKind = <T>(make: (kind: CallerKind) => T) =>
  Object.fromEntries(callerKinds.map((kind) => [kind, make(kind)])) as Record<CallerKind, T>

const copyOf = ({ user, cookies }: Session): Session => ({ user, cookies: new Map(cookies) })

async function makeData(t: App) {
  const known = { email: 'known@example.org', password: 'a known password' }
  const user = await t.person({ ...known, firstName: 'Known' })
  const member = await t.person()
  await user.does(changeSettings, { input: { hasPage: true } })
  await user.does(addFriend, { input: { friendUserId: member.me.id } })
  const submit = (content: string, type: 'standard' | 'premium') =>
    user.does(submitPost, { input: { content, authorName: 'Ana', type } })
  const { id: published, createdAt: publishedAt } = await submit('stands in the feed', 'premium')
  const { id: waiting } = await submit('waits for review', 'standard')
  const corrected = await submit('was written first', 'premium')
  const params = { id: corrected.id }
  await user.does(changePost, { params, input: { content: 'was written later', base: corrected.createdAt } })
  const [version] = await user.does(listPostVersions, { params })
  const { id: takenBack } = await submit('was taken back', 'premium')
  await user.does(takeBackPost, { params: { id: takenBack } })
  const { id: scheduled } = await user.does(submitPost, {
    input: {
      content: 'will appear',
      authorName: 'Ana',
      type: 'premium',
      publishAt: '2025-12-24T18:00:00.000Z',
    },
  })
  const write = async (more: Parameters<typeof aRoom>[0]) => {
    const { id } = await user.does(createRoom, { input: aRoom(more) })
    const passage = await user.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
    return { id, passage: passage.id }
  }
  const invited = { isPublic: false, invitedFriends: [member.me.id] }
  const { id: story } = await write({ duration: 15 })
  const { id: privateStory } = await write({ duration: 15, ...invited })
  t.clock.advance(15 * 60_000)
  await user.does(login, { input: known })
  await member.does(login, { input: { email: member.me.email!, password: 'secret pass 1' } })
  const { id: room, passage } = await write({})
  const { id: privateRoom } = await write(invited)
  await member.does(joinRoom, { params: { id: room } })
  const slow = { turns: 'baton', duration: 4320, turnSeconds: 43_200 } as const
  const table = await user.does(createRoom, { input: aRoom(slow) })
  await member.does(joinRoom, { params: { id: table.id } })
  const { id: aside } = await user.does(addAside, {
    params: { id: table.id },
    input: { content: 'Shall she leave?' },
  })
  const input = { messageType: 'text', receiverId: member.me.id, content: 'Good morning' } as const
  const { id: message } = await user.does(sendMessage, { input })
  const invitation = await user.does(createInvitation)
  const follower = await t.person()
  await follower.does(acceptInvitation, { input: { token: invitation.token } })
  await follower.does(changeSettings, { input: { hasPage: true } })
  const { id: reported } = await follower.does(submitPost, {
    input: { content: 'A rude line', authorName: 'Finn', type: 'premium' },
  })
  const { id: report } = await user.does(reportAbuse, {
    input: { kind: 'post', targetId: reported, reason: 'Unkind' },
  })
  const draft = await user.does(createDraft, { input: { content: 'A line that is not ready' } })
  const { id: document } = await user.does(createDocument, {
    input: { source: 'Day One', title: 'The well', content: 'It was deep.' },
  })
  const [other, blocked, admin] = [await t.person(), await t.person(), await t.admin()]
  const moderator = await t.moderator()
  for (const each of [user, admin]) await each.does(followPerson, { params: { personId: follower.me.id } })
  for (const input of [known, { email: admin.me.email!, password: 'a long admin password' }])
    await t.visitor().does(login, { input })
  const otherSession = (await user.does(listSessions)).find(({ isCurrent }) => !isCurrent)!.id
  await t.db.execute(
    sql`insert into openid_links select id, 'https://login.example', id, app_now() from users where not is_anonymous`,
  )
  const { id: apiToken } = await user.does(createApiToken, {
    input: { name: 'My script', scopes: ['rooms'] },
  })
  await blocked.does(addFriend, { input: { friendUserId: user.me.id } })
  // The first event of the admin's inbox is a notification.
  await other.does(addFriend, { input: { friendUserId: admin.me.id } })
  await user.does(blockPerson, { input: { userId: blocked.me.id } })
  for (const each of [user, other, blocked, member, moderator, admin]) {
    await each.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'A quiet day' } })
    await each.does(addBookmark, { params: { postId: corrected.id } })
  }
  const suspended = await t.person()
  const suspension = { reason: 'Unkind', until: null, hidesTexts: true }
  await admin.does(suspendPerson, { params: { id: suspended.me.id }, input: suspension })
  const { id: allowance } = await admin.does(addAllowance, {
    input: { network: '192.0.2.0/24', factor: 2, until: '2025-06-24T18:00:00.000Z' },
  })
  const webhook = await makeWebhook(t.db, admin)
  const resetTokens: string[] = []
  for (const _each of callerKinds) {
    const { id } = (await t.person()).me
    resetTokens.push((await admin.does(createPasswordReset, { params: { id } })).token)
  }
  const confirmationTokens: string[] = []
  for (const _each of callerKinds) {
    const { id, email } = (await t.person()).me
    const link = { userId: id, purpose: 'confirmation', boundTo: email! } as const
    confirmationTokens.push(await addMailLink(t.db, systemRandom, link))
  }
  const awayNotificationToken = await addMailLink(t.db, systemRandom, {
    userId: follower.me.id,
    purpose: 'choices',
    boundTo: '',
  })
  const unsentMail = newId({ clock: t.clock, random: systemRandom })
  await t.db.execute(sql`
    insert into mails (id, kind, user_id, failure, created_at, attempt_at, give_up_at, failed_at)
    values (${unsentMail}, 'password-changed', ${follower.me.id}, '550 No such mailbox', app_now(), app_now(), app_now(), app_now())`)
  const registrationRequest = newId({ clock: t.clock, random: systemRandom })
  const asked = {
    name: 'Nia New',
    writingSample: 'I write at night.',
    question: '',
    answer: '',
    agrees: false,
  }
  await addRequest(t.db, {
    id: registrationRequest,
    email: 'waits@example.org',
    secret: 'no digest',
    person: asked,
    guestId: null,
  })
  const registrationLink = await admin.does(createRegistrationLink, {
    input: { label: 'Class', maxUses: 30, days: 7 },
  })
  const callers = {
    visitor: t.visitor(),
    guest: await t.guest(),
    user,
    other,
    blocked,
    member,
    moderator,
    admin,
  }
  return {
    callers: callers satisfies Callers,
    known: { ...known, id: user.me.id },
    /** A post without an earlier text, and the time of its text. */
    published,
    publishedAt,
    waiting,
    /** A post with an earlier text. Everybody keeps it to read later. */
    changed: { id: corrected.id, versionId: version!.id },
    takenBack,
    /** Of the user. */
    scheduled,
    room,
    /** Of the user, in the room. */
    passage,
    privateRoom,
    /** A slow one, with a turn of the user. */
    table: { id: table.id, memberId: member.me.id },
    /** Of the user, at the table. */
    aside,
    story,
    privateStory,
    blockedId: blocked.me.id,
    /** From the user to the member. */
    message,
    /** An open one of the user. */
    invitation,
    /** Waits for an answer of the user, and has a page, which the user and the admin follow. */
    follower: follower.me.id,
    /** A person whom an admin has suspended. */
    suspended: suspended.me.id,
    /** Of an admin, for a network in which no caller is. */
    allowance,
    /** Open, by the user. */
    report,
    /** Of the user. */
    draft,
    /** Of the user. */
    document,
    /** Of the user, in another browser. The admin has two sessions too. */
    otherSession,
    /** Of the user. */
    apiToken,
    /** For each kind of caller one that resets the password of somebody else. Each is good once. */
    resetTokens,
    /** For each kind of caller one that confirms the address of somebody else. Each is good once. */
    confirmationTokens,
    /** To the choices of the follower. */
    awayNotificationToken,
    /** A mail that could not be sent. */
    unsentMail,
    /** With a delivery that no process makes. */
    webhook,
    /** A person who waits for a decision of an admin. */
    registrationRequest,
    registrationLink,
  }
}

/**
 * Starts one world for all tests of a file whose calls change nothing. Such a test compares the content of the database
 * before and after its calls.
 */
export function shareWorld(): () => World {
  let shared: World
  beforeAll(async () => {
    const ends: (() => void | Promise<void>)[] = []
    const world = await startWorld({ atEnd: (end) => void ends.push(end) })
    // The app would count them after a minute, between the tests of a slow run.
    await countRoomsThatEnded(world.db, new AbortController().signal)
    shared = world
    return async () => {
      for (const end of ends) await end()
    }
  })
  return () => shared
}

/** Another process has the webhook, so that no test calls anybody. */
async function makeWebhook(db: Db, admin: Client) {
  const { id } = await admin.does(createWebhook, {
    input: { url: 'https://reader.example/hook', events: ['story.finished'] },
  })
  await db.update(webhooks).set({ leasedUntil: '2100-01-01T00:00:00.000Z' }).where(eq(webhooks.id, id))
  const at = sql`app_now()`
  const [delivery] = await db
    .insert(webhookDeliveries)
    .values({ webhookId: id, event: 'story.finished', subjectId: id, createdAt: at, giveUpAt: at })
    .returning({ id: webhookDeliveries.id })
  return { id, deliveryId: delivery!.id }
}
