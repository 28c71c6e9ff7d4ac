import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders as Http2Headers } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { login, register } from '#contract/account/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { livePath } from '#contract/live/events.ts'
import { uploadIssue } from '#contract/magazine/endpoints.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { makeFirstCertificate, startNginxExample } from '../scripts/testing/nginx.ts'
import { freePort } from '../scripts/testing/ports.ts'
import { isInstalled } from '../scripts/testing/programs.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { startUsedDatabase, startInstance } from './instance.ts'

const mebibyte = 1024 * 1024

async function startExample(context: TestContext, ports: number[]) {
  if (!isInstalled('nginx')) context.skip('nginx is not installed')
  const example = await startNginxExample(ports)
  onTestFinished(example.stop)
  /** Opens a connection, which nginx closes when no request comes for some seconds. */
  const connectTo = () => {
    const session = connect(example.url, { ca: example.certificate })
    session.on('error', () => {})
    onTestFinished(() => session.destroy())
    return session
  }
  return { ...example, connectTo }
}

/** Sends a request over HTTP/2. The answer may be a stream. */
async function ask(session: ClientHttp2Session, path: string, headers: object = {}, body?: string | Buffer) {
  const stream = session.request({
    ':path': path,
    ':method': body === undefined ? 'GET' : 'POST',
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...headers,
  })
  let text = ''
  stream.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  stream.on('error', () => {})
  const ended = once(stream, 'close')
  stream.end(body)
  const [answered] = (await once(stream, 'response')) as [Http2Headers]
  return { status: answered[':status'] as number | undefined, headers: answered, text: () => text, ended }
}

test('through the example of nginx a person signs up over HTTP/2 with TLS, and receives each passage on the open stream at once [R8]', async (context) => {
  const { session, post, signUp, plainUrl } = await startTwoBehindExample(context)
  const cookie = await signUp(register.path, { ...ana, firstName: 'Ana' })
  const room = await post(createRoom.path, aRoom(), cookie)
  const stream = await ask(session, `${livePath}?rooms=${room.body.id}`, { cookie })
  expect(stream.headers['content-type']).toBe('text/event-stream')
  const passages = pathOf(sendPassage, { params: { id: room.body.id } })
  for (const content of ['The first passage', 'The second passage']) {
    expect((await post(passages, { content }, cookie)).status).toBe(201)
    await expect.poll(stream.text, { timeout: 20_000 }).toContain(content)
  }

  const plain = await fetch(`${plainUrl}/feed`, { redirect: 'manual' })
  expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://localhost/feed'])
  expect((await ask(session, '/metrics')).status).toBe(404)
  const own = await ask(session, '/health/live', { ':authority': 'writers.example.net' })
  expect([own.status, own.headers['x-request-id']]).toEqual([200, expect.any(String)])
})

test('at the first start of compose nginx has a certificate for the host of the operator, and keeps one that is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const first = await makeFirstCertificate(folder, 'https://writers.example.net:8443')
  const { subjectAltName, validTo } = new X509Certificate(first)
  expect(subjectAltName).toBe('DNS:writers.example.net')
  expect(Date.parse(validTo)).toBeGreaterThan(Date.now() + 80 * 86_400_000)
  expect((await stat(join(folder, 'privkey.pem'))).mode & 0o777).toBe(0o600)
  expect(await makeFirstCertificate(folder, 'https://other.example')).toBe(first)
  await rm(join(folder, 'fullchain.pem'))
  await expect(makeFirstCertificate(folder, 'https://other.example')).rejects.toThrow('ENOENT')
})

test('an admin uploads an issue of 19 MiB through the example of nginx, and both servers find it in their shared folder [S34]', async (context) => {
  const { session, signUp, origin, servers } = await startTwoBehindExample(context)
  const cookie = await signUp(login.path, administrator)
  const issue = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    Buffer.alloc(19 * mebibyte),
    Buffer.from('\n%%EOF\n'),
  ])
  const form = new FormData()
  form.append('litmag', new File([issue], 'issue.pdf', { type: 'application/pdf' }))
  const sent = new Response(form)
  const headers = { cookie, origin, 'content-type': sent.headers.get('content-type')! }
  const answer = await ask(session, uploadIssue.path, headers, Buffer.from(await sent.arrayBuffer()))
  await answer.ended
  expect([answer.status, answer.text()]).toEqual([201, expect.stringContaining('/uploads/magazine/')])
  const { url } = JSON.parse(answer.text()) as { url: string }
  for (const server of servers) {
    const downloaded = await fetch(`${server.url}${url}`, { headers: { cookie } })
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(issue)).toBe(true)
  }
})

const ana = { email: 'ana@example.org', password: 'secret1' }

/** Two servers with one database and one data folder behind the example. */
async function startTwoBehindExample(context: TestContext) {
  const ports = [await freePort(), await freePort()]
  const { url: databaseUrl } = await startUsedDatabase()
  const { connectTo, url: origin, plainUrl } = await startExample(context, ports)
  const settings = { DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1', PUBLIC_ORIGIN: origin }
  const first = await startInstance({ ...settings, PORT: String(ports[0]) })
  const second = await startInstance({ ...settings, PORT: String(ports[1]), DATA_DIR: first.dataDir })
  const session = connectTo()
  const post = async (path: string, input: object, cookie = '') => {
    const answer = await ask(session, path, { cookie, origin }, JSON.stringify(input))
    await answer.ended
    return { ...answer, body: JSON.parse(answer.text()) as { id: string } }
  }
  return {
    session,
    post,
    origin,
    plainUrl,
    servers: [first.server, second.server],
    /** Registers or signs in, and returns the cookie of the session, which goes over TLS only. */
    signUp: async (path: string, input: object) => {
      const { headers } = await post(path, input)
      const cookies = headers['set-cookie'] ?? []
      expect(cookies.filter((line) => !line.includes('Secure'))).toEqual([])
      return cookies.map((line) => line.split(';')[0]).join('; ')
    },
  }
}

test('the example of nginx passes on a whole file of 20 MiB, refuses a larger one, and ignores forwarded headers of a client [S53]', async (context) => {
  const arrived: { bytes: number; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => void (bytes += chunk.length))
    request.on('end', () => {
      arrived.push({ bytes, headers: request.headers })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { connectTo } = await startExample(context, [(server.address() as AddressInfo).port])
  const session = connectTo()
  const forged = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'elsewhere.example',
    forwarded: 'for=203.0.113.9',
  }
  const whole = await ask(session, '/api/upload', forged, Buffer.alloc(20 * mebibyte))
  expect(whole.status).toBe(200)
  expect((await ask(session, '/api/upload', {}, Buffer.alloc(25 * mebibyte))).status).toBe(413)
  expect(arrived).toHaveLength(1)
  expect(arrived[0]!.bytes).toBe(20 * mebibyte)
  const { headers } = arrived[0]!
  expect([headers['x-forwarded-for'], headers['x-forwarded-proto']]).toEqual(['127.0.0.1', 'https'])
  expect([headers['x-forwarded-host'], headers['forwarded']]).toEqual([undefined, undefined])
  expect(headers.host).toMatch(/^localhost:\d+$/)
})

test('the example of nginx lets one address have 200 open requests, and refuses the next [R12]', async (context) => {
  const server = createServer((_request, response) => response.writeHead(200).write('open')).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { connectTo } = await startExample(context, [(server.address() as AddressInfo).port])
  // nginx allows 128 streams on one connection.
  const sessions = [connectTo(), connectTo()]
  const open = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(sessions[i % 2]!, livePath)))
  expect(open.filter(({ status }) => status !== 200)).toEqual([])
  expect((await ask(connectTo(), '/feed')).status).toBe(429)
})
