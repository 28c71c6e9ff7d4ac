import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { login, register } from '#contract/account/endpoints.ts'
import { createRegistrationLink } from '#contract/account/registration/endpoints.ts'
import { createDocument } from '#contract/documents/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { createInvitation } from '#contract/invitations/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { calls, type CallRow, type CallData } from '#server/testing/calls.ts'
import { callerKinds } from '#server/testing/world.ts'
import {
  fieldLengths,
  type HostileRequest,
  hostileRequests,
  otherCalls,
  otherHostileRequests,
} from '#server/testing/hostile-inputs.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  administrator,
  makeDataFolder,
  removeDataFolder,
  startServer,
} from '../scripts/testing/running-server.ts'
import { atMost, type Figure, printTable } from './table.ts'

const longestTurnMs = 50
const largeBodies = [submitPost.path, '/api/feed', '/api/diary/save']
const known = { email: 'known@example.org', password: 'a known password' }

const dataDir = await makeDataFolder()
const turnsSocket = join(dataDir, 'loop-turns')
const server = await startServer({
  dataDir,
  settings: { NODE_ENV: 'production', LOOP_TURNS: turnsSocket },
  command: ['node', '--import', './bench/loop-turns.ts', 'server/main.ts'],
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
try {
  printTable('The longest turn of the event loop that one request takes, in CPU time', await figures())
} finally {
  agent.destroy()
  await server.end('SIGTERM')
  await removeDataFolder(dataDir)
}

async function figures(): Promise<Figure[]> {
  const { data, clients } = await startServerWithData()
  const all: Figure[] = []
  for (const row of calls) {
    const bodyLimit = (largeBodies.includes(row.endpoint.path) ? 512 : 64) * 1024
    const requests = hostileRequests(row, data, { bodyLimit, lengths: fieldLengths })
    all.push(await figureOf(row.name, requests, await clients[viewerOf(row)]()))
  }
  for (const other of otherCalls)
    all.push(await figureOf(other.name, otherHostileRequests(other), new HttpClient(() => server.url)))
  return all
}

/** The caller with the fewest rights to whom the call gives an ordinary answer. */
function viewerOf({ answers }: CallRow) {
  const who = callerKinds.find((each) => answers[each] < 300)!
  return who === 'visitor' || who === 'guest' || who === 'admin' ? who : 'person'
}

async function figureOf(
  name: string,
  requests: Iterable<HostileRequest>,
  client: HttpClient,
): Promise<Figure> {
  let [count, longest, worst] = [0, 0, '']
  for (const hostile of requests) {
    let ms = Infinity
    for (let tries = 0; tries < 3 && ms > longestTurnMs; tries++)
      ms = Math.min(ms, await turnOf(hostile, client))
    count++
    if (ms > longest) [longest, worst] = [ms, hostile.what]
  }
  return atMost(
    `${name}, ${count} requests; the longest: ${worst.replaceAll('|', '\\|')}`,
    longest,
    longestTurnMs,
    'ms',
  )
}

async function turnOf(
  { method, url, headers, payload }: HostileRequest,
  client: HttpClient,
): Promise<number> {
  const watch = connect(turnsSocket)
  await once(watch, 'data')
  const sent = request(`${server.url}${url}`, {
    method,
    agent,
    headers: {
      cookie: client.cookie,
      ...headers,
      ...(payload && { 'content-length': Buffer.byteLength(payload) }),
    },
  })
  sent.end(payload)
  const status = await new Promise<number>((resolve) => {
    sent.once('response', (answer) => answer.resume().once('close', () => resolve(answer.statusCode!)))
    // Node closes the connection of a request that it refuses itself.
    sent.once('error', () => resolve(0))
  })
  if (status === 500) throw new Error(`${method} ${url}: ${status}`)
  watch.end()
  const [ms] = (await once(watch, 'data')) as [Buffer]
  return Number(ms)
}

/** The rooms, posts and stories of the running server that the calls name. */
async function startServerWithData() {
  const client = () => new HttpClient(() => server.url)
  const [person, admin] = [client(), client()]
  await admin.does(login, { input: administrator })
  const { id } = await person.does(register, { input: known })
  const submit = (type: 'standard' | 'premium') =>
    person.does(submitPost, { input: { content: type, authorName: 'Ana', type } })
  const published = await submit('premium')
  const room = (await person.does(createRoom, { input: aRoom() })).id
  const passage = await person.does(sendPassage, { params: { id: room }, input: { content: 'It was late.' } })
  await admin.does(joinRoom, { params: { id: room } })
  await admin.does(addFriend, { input: { friendUserId: id } })
  const message = await admin.does(sendMessage, {
    input: { messageType: 'text', receiverId: id, content: 'Good evening' },
  })
  const invitation = await person.does(createInvitation)
  const { id: report } = await admin.does(reportAbuse, {
    input: { kind: 'person', targetId: id, reason: 'Unkind' },
  })
  let count = 0
  const data: CallData = {
    known: { ...known, id },
    published: published.id,
    publishedAt: published.createdAt,
    waiting: (await submit('standard')).id,
    changed: { id: published.id, versionId: published.id },
    takenBack: published.id,
    scheduled: published.id,
    room,
    passage: passage.id,
    privateRoom: room,
    table: { id: room, memberId: id },
    aside: passage.id,
    story: room,
    privateStory: room,
    blockedId: id,
    message: message.id,
    invitation,
    follower: id,
    suspended: id,
    report,
    allowance: report,
    draft: await person.does(createDraft, { input: { content: 'Not ready' } }),
    document: await person
      .does(createDocument, { input: { source: 'Ghost', title: 'The well', content: 'It was deep.' } })
      .then(({ id: documentId }) => documentId),
    otherSession: report,
    apiToken: report,
    resetTokens: ['none'],
    confirmationTokens: ['none'],
    awayNotificationToken: 'none',
    unsentMail: report,
    webhook: { id: report, deliveryId: report },
    registrationRequest: report,
    registrationLink: await admin.does(createRegistrationLink, {
      input: { label: 'Class', maxUses: 30, days: 7 },
    }),
    next: () => ++count,
  }
  // Each call has its own session, and each call of a person its own account, because a call may end them.
  const clients = {
    visitor: async () => client(),
    guest: async () => client(),
    person: async () => {
      const again = client()
      await again.does(register, { input: { ...known, email: `person${++count}@example.org` } })
      // Calls that delete the room have removed it.
      await again.tries(joinRoom, { params: { id: room } })
      return again
    },
    admin: async () => {
      const again = client()
      await again.does(login, { input: administrator })
      return again
    },
  }
  return { data, clients }
}
