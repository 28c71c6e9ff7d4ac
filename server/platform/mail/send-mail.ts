import { connect, isIP, type Socket } from 'node:net'
import type { Relay } from './relay.ts'

export interface Mail {
  /** The same at each attempt, so that a program for mail shows a mail once that arrives twice. */
  messageId: string
  from: { name: string; address: string }
  to: string
  date: Date
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** Why a mail was not accepted. */
export class NotSent extends Error {
  override name = 'NotSent'
  /** The relay refused this mail for good. */
  readonly isFinal: boolean
  /** The relay itself is the reason: it would refuse every other mail, too. */
  readonly isOfRelay: boolean
  /** The step that failed and the number of the answer, for the log: the answer itself may name the recipient. */
  readonly at: { step?: string | undefined; responseCode?: number | undefined }

  constructor(reason: string, { isFinal = false, isOfRelay = false, at = {} as NotSent['at'] } = {}) {
    super(reason)
    this.isFinal = isFinal
    this.isOfRelay = isOfRelay
    this.at = at
  }
}

const stepMs = 5000
/** A relay may examine the text before it answers. A mail whose acknowledgement is missed would be sent twice. */
const answerMs = 20_000
const mailMs = 60_000
/** A server that closes waits so long for an acknowledgement, so that a restart sends no mail twice. */
const graceMs = 2000
const maxAnswerBytes = 64 * 1024

/** Sends a mail to the relay, and resolves when the relay has accepted it. Otherwise throws `NotSent`. */
export async function sendMail(relay: Relay, mail: Mail, signal: AbortSignal): Promise<void> {
  const { messageId, from, to, date, subject, text, html, headers } = mail
  const transport = await openTransport(relay, from.address, signal)
  try {
    await transport.sendMail({
      messageId,
      from,
      to: { name: '', address: to },
      envelope: { from: from.address, to: [to] },
      date,
      subject,
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    })
  } catch (error) {
    throw notSentBy(error as SmtpError)
  } finally {
    transport.close()
  }
}

/** Connects to the relay and signs in, as for a mail, and sends none. Throws `NotSent` when a mail would fail. */
export async function reachRelay(relay: Relay, mailFrom: string, signal: AbortSignal): Promise<void> {
  const transport = await openTransport(relay, mailFrom, signal)
  try {
    await transport.verify()
  } catch (error) {
    throw notSentBy(error as SmtpError)
  } finally {
    transport.close()
  }
}

async function openTransport(relay: Relay, mailFrom: string, signal: AbortSignal) {
  // Loaded with the first mail, so that a server without a relay never loads the package.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: relay.host,
    port: relay.port,
    secure: relay.isSecure,
    requireTLS: !relay.isLocal,
    tls: {
      minVersion: 'TLSv1.2',
      ...(isIP(relay.host) === 0 && { servername: relay.host }),
      rejectUnauthorized: relay.isSecure || !relay.isLocal,
    },
    ...(relay.credentials && { auth: relay.credentials }),
    name: mailFrom.slice(mailFrom.indexOf('@') + 1),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: answerMs,
    maxResponseSize: maxAnswerBytes,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: object, done: SocketTaker) => openSocket(relay, signal, done),
  })
}

type SocketTaker = (error: Error | null, opened?: { connection: Socket }) => void

/** Connects to the host of the settings alone. Ends the connection soon after the signal, and when a mail takes too long. */
function openSocket({ host, port }: Relay, signal: AbortSignal, done: SocketTaker) {
  if (signal.aborted) return done(new Error('The server closes.'))
  const socket = connect({ host, port })
  const end = () => socket.destroy(new Error('The mail took too long, or the server closes.'))
  let ending = setTimeout(end, mailMs)
  const endSoon = () => {
    clearTimeout(ending)
    ending = setTimeout(end, graceMs)
  }
  signal.addEventListener('abort', endSoon)
  socket.once('close', () => {
    clearTimeout(ending)
    signal.removeEventListener('abort', endSoon)
  })
  const fail = (error: Error) => done(error)
  socket.once('error', fail)
  socket.setTimeout(stepMs, () => socket.destroy(new Error('The relay does not answer.')))
  socket.once('connect', () => {
    socket.off('error', fail)
    socket.setTimeout(0)
    socket.removeAllListeners('timeout')
    done(null, { connection: socket })
  })
}

interface SmtpError extends Error {
  /** The step that failed, such as `RCPT TO`. */
  command?: string
  responseCode?: number
  response?: string
}

/** Refusals of these steps concern one mail, and those of all others the relay. */
const stepsOfMail = ['RCPT TO', 'DATA']

function notSentBy({ message, command = '', responseCode, response }: SmtpError): NotSent {
  const isOfRelay = responseCode === undefined || !stepsOfMail.includes(command)
  const isFinal = !isOfRelay && responseCode >= 500
  return new NotSent(onOneLine(response ?? message).slice(0, 300), {
    isFinal,
    isOfRelay,
    at: { step: command, responseCode },
  })
}

/** Without control characters and those that turn the direction of text. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()
