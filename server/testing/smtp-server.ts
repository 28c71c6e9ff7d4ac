import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The lines of the headers, unfolded, by their names in lower case. */
  headers: Map<string, string[]>
  /** Headers and body as they arrived. */
  source: string
  isSecure: boolean
}

/** What the server answers to the text of a mail: nothing accepts it. */
type Answer = (mail: ReceivedMail, session: SMTPServerSession) => Promise<Error | void> | Error | void

/** A real SMTP server on this machine, which the caller closes. It keeps the mails that it acknowledged. */
export async function openRelay({
  answer = () => {},
  ...options
}: Omit<SMTPServerOptions, 'onData'> & { answer?: Answer } = {}) {
  const received: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const mail = read(Buffer.concat(chunks).toString('utf8'), session)
        void Promise.resolve(answer(mail, session)).then((error) => {
          if (error === undefined) received.push(mail)
          done(error ?? null)
          for (const look of waiting) look()
        })
      })
    },
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  /** Resolves as soon as the condition holds after a mail. */
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return {
    port,
    close: () => new Promise<void>((resolve) => void server.close(resolve)),
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** Ends every connection at once, as the end of the process does. */
    cut: () => sockets.forEach((socket) => void socket.destroy()),
    until,
    /** Resolves with the first mail to an address whose source contains the text. */
    async mailTo(address: string, text = '') {
      const find = () => received.find(({ to, source }) => to.includes(address) && source.includes(text))
      await until(() => find() !== undefined)
      return find()!
    },
  }
}

/** An answer of an SMTP server. */
export const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

function read(source: string, { envelope, secure }: SMTPServerSession): ReceivedMail {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  const headers = new Map<string, string[]>()
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    headers,
    source,
    isSecure: secure,
  }
}

/** The texts of a mail, decoded: plain text first, then HTML. */
export function textsOf({ source }: ReceivedMail): { text: string; html: string } {
  const [text = '', html = ''] = source
    .split(/\r\n--[^\s]{8,}\r\n/)
    .filter((part) => /^content-type: text\//im.test(part))
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n')
      return decode(head, body.join('\r\n\r\n'))
    })
  return { text, html }
}

function decode(head: string, body: string): string {
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
