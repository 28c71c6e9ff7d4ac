import { expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { logout } from '#contract/account/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { savePushDevice } from '#contract/push/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { getTurn, passTurn } from '#contract/rooms/table/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { createWebhook } from '#contract/webhooks/endpoints.ts'
import { webhookEvents, type WebhookEvent } from '#contract/webhooks/events.ts'
import type { CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { confirm, startFriendsWithMail } from '#server/testing/away-notifications.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { aRoom } from '#server/testing/rooms.ts'
import type { Client } from '#server/testing/test-app.ts'

const tail = 'canary1e8b'
const text = `The lighthouse, ${canary}\nand the lamp: ${tail}`
const has = (bytes: Buffer | string, word = canary) => bytes.includes(word)
const hour = 60 * 60_000
const patience = { timeout: 60_000 }

/** A slow folded table in which Ana has written. Ben holds the turn and gets pushes, and Cleo gets mails. A webhook hears of all events. */
async function startFoldedTable() {
  const service = await startPushService()
  const hooked: string[] = []
  const callOutgoing: CallOutgoing = async (call) => {
    if (!call.url.startsWith('https://hook.example')) return service.callOutgoing(call)
    hooked.push(String(call.body))
    return { status: 204, headers: {}, body: Buffer.alloc(0), isCut: false }
  }
  const t = await startFriendsWithMail({}, { callOutgoing })
  const { ana, ben } = t
  const [cleo, admin, moderator] = [await t.person(), await t.admin(), await t.moderator()]
  await confirm(t.db, cleo)
  const events = Object.keys(webhookEvents) as WebhookEvent[]
  await admin.does(createWebhook, { input: { url: 'https://hook.example/', events } })
  await ben.does(savePushDevice, { input: service.subscribe() })
  const { id } = await ana.does(createRoom, {
    input: aRoom({ turns: 'round', isFolded: true, turnSeconds: 86_400, duration: 4320 }),
  })
  const params = { id }
  for (const member of [ben, cleo]) await member.does(joinRoom, { params })
  const passage = await ana.does(sendPassage, { params, input: { content: text, turn: 1 } })
  const readers = { visitor: t.visitor(), guest: await t.guest(), ben, cleo, moderator, admin }
  return { ...t, service, hooked, readers, cleo, params, passage }
}

type Table = Awaited<ReturnType<typeof startFoldedTable>>

/** The addresses whose answers contain one of the words, among all that the server has. Those of lists are also asked for a word of the text. */
async function findPlaces({ app, params, passage, ana }: Table, who: Client, words: string[]) {
  const own = app.mounted
    .filter(({ method, url }) => method === 'GET' && url !== livePath && url !== pathOf(logout))
    .map(({ url }) => url)
  const pages = [`/zimmers?room=${params.id}`, storyPath(params.id)]
  const urls = own
    .flatMap((pattern) => [params.id, passage.id, ana.me.id].map((id) => pattern.replace(':id', id)))
    .flatMap((url) =>
      url.includes(':format') ? ['md', 'epub', 'txt'].map((f) => url.replace(':format', f)) : url,
    )
    .map((url) => url.replace(/:\w+/, '0'))
  const searches = own.filter((pattern) => !pattern.includes(':')).map((url) => `${url}?q=lighthouse`)
  const found: string[] = []
  let answers = 0
  for (const url of new Set([...urls, ...searches, ...pages])) {
    const { statusCode, rawPayload } = await who.request({ method: 'GET', url })
    if (statusCode === 200) answers++
    if (words.some((word) => has(rawPayload, word))) found.push(url)
  }
  return { found, answers }
}

test('no address of the server, no search, metric, feed, picture, webhook, mail, push or file has the text of a folded passage while the room is open [TURN-15 TURN-16]', async () => {
  const t = await startFoldedTable()
  const { ben, cleo, readers, clock, db, params, relay, service, hooked, config } = t
  for (const [name, who] of Object.entries(readers)) {
    // The holder of the turn gets the tail by this address alone.
    const { found, answers } = await findPlaces(t, who, [canary, tail])
    expect([name, found]).toEqual([name, name === 'ben' ? [pathOf(getTurn, { params })] : []])
    expect(answers).toBeGreaterThan(20)
  }
  const metrics = await t.request({ url: '/metrics' })
  expect(metrics.statusCode).toBe(200)

  // Who is away is told of the turn: Ben by a push, Cleo by a mail.
  clock.advance(hour)
  await expect.poll(() => service.received.length, patience).toBeGreaterThan(0)
  await ben.does(passTurn, { params, input: { number: 2 } })
  await expect.poll(async () => (await cleo.does(listNotifications)).length, patience).toBeGreaterThan(0)
  clock.advance(hour)
  await relay.mailTo(cleo.me.email!, 'Your turn in')
  const sent = [
    ...relay.received.map((each) => JSON.stringify(textsOf(each)) + JSON.stringify([...each.headers])),
    ...service.received.map(({ content, headers }) => JSON.stringify([content, headers])),
    ...hooked,
  ]
  for (const each of sent) expect([has(each), has(each, tail)]).toEqual([false, false])
  expect(await placesOfCanary(db, config.dataDir)).toEqual(['room_messages'])

  // From the end on the same addresses have it.
  clock.advance(96 * hour)
  const { found } = await findPlaces(t, readers.visitor, [canary])
  for (const place of [
    `/api/zimmers/${params.id}/messages`,
    `/api/zimmers/${params.id}/story.txt`,
    storyPath(params.id),
  ])
    expect(found).toContain(place)
  await expect.poll(() => hooked.length, patience).toBeGreaterThan(0)
}, 240_000)
