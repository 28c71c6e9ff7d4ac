import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { refusal } from '#server/testing/smtp-server.ts'
import { startRelay } from '#server/testing/smtp.ts'
import { parseRelay, type Relay } from './relay.ts'
import { type Mail, NotSent, sendMail } from './send-mail.ts'

const mail: Mail = {
  messageId: '<0190@zimmer.example>',
  from: { name: 'The Lamp House', address: 'desk@zimmer.example' },
  to: 'ana@example.org',
  date: new Date('2025-06-10T12:00:00Z'),
  subject: 'A subject',
  text: 'A text',
  html: '<p>A text</p>',
}
const never = new AbortController().signal
const send = (relay: Relay, more: Partial<Mail> = {}) => sendMail(relay, { ...mail, ...more }, never)
const failureOf = async (relay: Relay) => {
  const error = await send(relay).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(NotSent)
  return error as NotSent
}

test.each<[string, Partial<Relay>]>([
  ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, isSecure: false, isLocal: false }],
  ['smtps://mail.example.org', { port: 465, isSecure: true }],
  ['smtp://127.0.0.1:2525', { port: 2525, isLocal: true, credentials: undefined }],
  ['smtp://[::1]:25/', { host: '::1', isLocal: true }],
  ['smtp://localhost.example.org', { isLocal: false }],
  ['smtp://ana%40example.org:p%3A%2Fs@h', { credentials: { user: 'ana@example.org', pass: 'p:/s' } }],
])('the address %s names a relay [REACH-01 S59]', (address, relay) => {
  expect(parseRelay(address)).toMatchObject(relay)
})

test.each([
  'smtp://ana@mail.example.org',
  'smtp://:secret@mail.example.org',
  'smtp://a%ff:b@mail.example.org',
  'smtp://',
  'smtp://mail.example.org:0',
  'smtp://mail.example.org:99999',
  'smtp://mail.example.org/path',
  'smtp://mail.example.org?tls=off',
  'smtp://mail.example.org#x',
  'smtp://mail.example.org\r\nX: y',
  'http://mail.example.org',
  'mail.example.org:25',
])('the address %s names no relay [REACH-01 S59]', (address) => {
  expect(parseRelay(address)).toBeUndefined()
})

const hostile = [
  'Ana\r\nBcc: victim@example.org',
  'Ana\nBcc: victim@example.org\n\nA second text',
  'Ana\r\n.\r\nMAIL FROM:<x@example.org>\r\n',
  '=?utf-8?q?=0D=0ABcc:_victim=40example.org?=',
  '"Ana" <victim@example.org>, other@example.org',
  `${'ä'.repeat(300)}\r\nX-Evil: yes`,
  '\u202eevil\u2028Bcc: victim@example.org',
  '<script>alert(1)</script>',
]

test.each(hostile)(
  'the name and the subject %j add no header, no addressee and no second mail [S59 R28]',
  async (text) => {
    const relay = await startRelay()
    await send(parseRelay(relay.url)!, {
      subject: text,
      from: { ...mail.from, name: text },
      text,
      html: text,
    })
    expect(relay.received).toHaveLength(1)
    const [{ to, from, headers, source }] = relay.received as [(typeof relay.received)[number]]
    expect([from, to]).toEqual(['desk@zimmer.example', ['ana@example.org']])
    expect([...headers.keys()].toSorted()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    for (const values of headers.values()) expect(values).toHaveLength(1)
    expect(headers.get('from')![0]).toMatch(/<desk@zimmer\.example>$/)
    expect(headers.get('to')).toEqual(['ana@example.org'])
    const head = source.slice(0, source.indexOf('\r\n\r\n'))
    expect(head).not.toMatch(/^(bcc|x-evil)/im)
    // oxlint-disable-next-line no-control-regex
    expect(head.replaceAll('\r\n', '')).toMatch(/^[\x20-\x7e]*$/)
  },
)

test.each([
  [
    'refuses the address for good',
    { onRcptTo: refuse(550, 'No such mailbox') },
    { isFinal: true, isOfRelay: false },
    '550 No such mailbox',
  ],
  [
    'refuses the address for now',
    { onRcptTo: refuse(450, 'Busy') },
    { isFinal: false, isOfRelay: false },
    '450 Busy',
  ],
  [
    'refuses the sender',
    { onMailFrom: refuse(550, 'Not from here') },
    { isFinal: false, isOfRelay: true },
    '550 Not from here',
  ],
  [
    'refuses everybody',
    { onConnect: (_s: unknown, done: (e: Error) => void) => done(refusal(554, 'Closed')) },
    { isFinal: false, isOfRelay: true },
    '554 Closed',
  ],
  [
    'refuses the text',
    { answer: () => refusal(552, 'Too long') },
    { isFinal: true, isOfRelay: false },
    '552 Too long',
  ],
])('a relay that %s is understood [REACH-06]', async (_what, options, kind, message) => {
  const relay = await startRelay(options)
  const failure = await failureOf(parseRelay(relay.url)!)
  expect(failure).toMatchObject(kind)
  expect(failure.message).toContain(message)
})

function refuse(code: number, text: string) {
  return (_address: unknown, _session: unknown, done: (error: Error) => void) => done(refusal(code, text))
}

test('the name and the password are sent over TLS alone, to a host whose certificate is good [S59]', async () => {
  const { key, cert } = makeCertificate()
  const signIns: unknown[] = []
  const options = {
    key,
    cert,
    authOptional: false,
    onAuth: (
      { username, password }: { username?: string | undefined; password?: string | null | undefined },
      _s: unknown,
      done: (e: null, r: object) => void,
    ) => {
      signIns.push(username, password)
      done(null, { user: username })
    },
  }
  const secure = await startRelay({ ...options, secure: true })
  const upgraded = await startRelay({ ...options, disabledCommands: [] })
  const unencrypted = await startRelay({
    ...options,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
  })
  const at = (port: number, isSecure: boolean): Relay => ({
    host: 'localhost',
    port,
    isSecure,
    // As if it were another machine.
    isLocal: false,
    credentials: { user: 'ana', pass: 'p:w' },
  })
  const all = [at(secure.port, true), at(upgraded.port, false), at(unencrypted.port, false)]
  for (const relay of all) expect(await failureOf(relay)).toMatchObject({ isOfRelay: true })
  expect(signIns).toEqual([])
  const known = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...known, cert])
  onTestFinished(() => tls.setDefaultCACertificates(known))
  for (const relay of all.slice(0, 2)) await send(relay)
  for (const relay of [...all.slice(0, 2).map((each) => ({ ...each, host: '127.0.0.1' })), all[2]!])
    expect(await failureOf(relay)).toMatchObject({ isOfRelay: true })
  expect(signIns).toEqual(['ana', 'p:w', 'ana', 'p:w'])
  expect([...secure.received, ...upgraded.received].map(({ isSecure }) => isSecure)).toEqual([true, true])
})

function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-smtp-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ],
    { stdio: 'ignore' },
  )
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

/** A server that is no SMTP server. */
async function startRaw(talk: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    talk(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return parseRelay(`smtp://127.0.0.1:${port}`)!
}

test('a relay that says nothing is left after 5 seconds [S59]', async () => {
  const started = performance.now()
  expect(await failureOf(await startRaw(() => {}))).toMatchObject({ isFinal: false, isOfRelay: true })
  const tookMs = performance.now() - started
  expect(tookMs).toBeGreaterThan(4000)
  expect(tookMs).toBeLessThan(9000)
})

test('a relay whose answer does not end is left, and no megabyte is read [S59]', async () => {
  let sent = 0
  const line = `220-${'x'.repeat(16_000)}\r\n`
  const relay = await startRaw((socket) => {
    const more = () => {
      while (!socket.destroyed && sent < 64 * 1024 * 1024) {
        sent += line.length
        if (!socket.write(line)) return void socket.once('drain', more)
      }
    }
    more()
  })
  expect(await failureOf(relay)).toMatchObject({ isOfRelay: true })
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test('a closing server takes an acknowledgement that comes soon, and leaves a relay that gives none [REACH-06]', async () => {
  const closing = new AbortController()
  const texts: (() => void)[] = []
  const relay = await startRelay({ answer: () => new Promise<void>((accept) => texts.push(accept)) })
  const hasText = async (count: number) => {
    await expect.poll(() => texts.length, { interval: 10 }).toBe(count)
  }
  const sending = sendMail(parseRelay(relay.url)!, mail, closing.signal)
  await hasText(1)
  closing.abort()
  texts[0]!()
  await sending
  const again = new AbortController()
  const left = sendMail(parseRelay(relay.url)!, mail, again.signal)
  await hasText(2)
  const started = performance.now()
  again.abort()
  await expect(left).rejects.toBeInstanceOf(NotSent)
  expect(performance.now() - started).toBeLessThan(5000)
  await expect(sendMail(parseRelay(relay.url)!, mail, again.signal)).rejects.toBeInstanceOf(NotSent)
  expect(relay.received).toHaveLength(1)
})

test('nobody listens at the port of the relay: the mail waits [REACH-06]', async () => {
  expect(await failureOf(parseRelay('smtp://127.0.0.1:1')!)).toMatchObject({
    isFinal: false,
    isOfRelay: true,
  })
})
