import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { emails } from '#server/features/account/index.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { mailConfig } from './mails.ts'
import { type ReceivedMail, textsOf } from './smtp-server.ts'
import { startRelay } from './smtp.ts'
import { type Client, startTestApp } from './test-app.ts'

export const minute = 60_000
export const hour = 60 * minute

/** Friends on an instance that sends mails. Both addresses are confirmed. */
export async function startFriendsWithMail(
  relayOptions: Parameters<typeof startRelay>[0] = {},
  { config, ...options }: NonNullable<Parameters<typeof startTestApp>[0]> = {},
) {
  const relay = await startRelay(relayOptions)
  const settings = { limitsRates: false, ...mailConfig(relay.url), ...config }
  const t = await startTestApp({ ...options, config: settings })
  return { ...t, relay, ...(await makeFriends(t)) }
}

type App = Pick<Awaited<ReturnType<typeof startTestApp>>, 'person' | 'db' | 'clock'>

export async function makeFriends({ person, db, clock }: App) {
  const ana = await person({ email: 'ana@example.org', firstName: 'Ana', lastName: 'Lima' })
  const ben = await person({ email: 'ben@example.org', firstName: 'Ben', lastName: 'Ode' })
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await confirm(db, ana)
  await confirm(db, ben)
  const writes = (from: Client, to: Client, content: string) =>
    from.does(sendMessage, { input: { messageType: 'text', receiverId: to.me.id, content } })
  /** Lets 30 minutes go by. */
  const wait = () => clock.advance(30 * minute + 1000)
  return { ana, ben, writes, wait }
}

/** Confirms the address of a person. The mail that asks for it is not sent any more. */
export async function confirm(db: App['db'], { me }: Client): Promise<void> {
  await db
    .update(emails)
    .set({ confirmedAt: sql`app_now()` })
    .where(eq(emails.userId, me.id))
}

/** A device of a person that gets pushes. */
export async function addDevice({ db, clock }: Pick<App, 'db' | 'clock'>, { me }: Client) {
  await db.execute(sql`
    insert into push_devices (id, user_id, session_hash, endpoint, p256dh, auth, created_at)
    select ${newId({ clock, random: systemRandom })}, user_id, token_hash, ${`https://push.example/${randomUUID()}`}, '', '', app_now()
    from sessions where user_id = ${me.id} limit 1`)
}

/** Waits until a value is read. The server looks every second. */
export async function until(read: () => unknown, value: unknown): Promise<void> {
  await expect.poll(read).toEqual(value)
}

/** The events that people are to be told of. */
export async function countWaiting(db: App['db']): Promise<number> {
  return (await db.execute(sql`select 1 from inbox_events where notice_at is not null`)).rowCount ?? 0
}

/** The mails to an address but those that confirm it. */
export const awayMailsTo = (received: ReceivedMail[], address: string): ReceivedMail[] =>
  received.filter(({ to, headers }) => to.includes(address) && headers.has('list-unsubscribe'))

/** The token of the link to all choices, and the path of List-Unsubscribe. */
export function linksIn(mail: ReceivedMail) {
  const [, token] = /https:\/\/zimmer\.example\/notices#([\w-]{43})\s/.exec(textsOf(mail).text) ?? []
  const [, path] =
    /^<https:\/\/zimmer\.example(\/unsubscribe\/[\w-]{43})>$/.exec(
      mail.headers.get('list-unsubscribe')?.join('|') ?? '',
    ) ?? []
  if (token === undefined || path === undefined) throw new Error('The mail has no links.')
  return { token, path }
}
