import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Needs } from '#server/feature.ts'
import { ifAvailable, isDatabaseUnavailable } from '#server/platform/database/unavailable.ts'
import type { Relay } from '#server/platform/mail/relay.ts'
import { NotSent, onOneLine, sendMail } from '#server/platform/mail/send-mail.ts'
import { schedule } from '#server/platform/schedule.ts'
import { messageIdOf } from './bounce-reports.ts'
import { letterOf, type AwayNotificationLetters } from './letters.ts'
import { postponeMail, removeMail, takeMail, type TakenMail } from './queries.ts'
import { writeMail } from './template.ts'

export interface SenderDeps extends Pick<
  Needs,
  'config' | 'database' | 'clock' | 'random' | 'secret' | 'instance'
> {
  awayNotificationLetters: AwayNotificationLetters
}

const everyMs = 1000
const longestPauseMs = 60_000

/** The settings of an instance that sends mails: `readConfig` refuses one of them without the others. */
interface MailSettings {
  relay: Relay
  mailFrom: string
  publicOrigin: string
}

/**
 * Sends the mails of the queue until the server closes, one after the other. A mail is removed when the relay has acknowledged it, so that a mail is sent
 * again only when the process ends between the two, or the acknowledgement is lost.
 */
export function startSendingMails(app: FastifyInstance, deps: SenderDeps): void {
  const { config, database, clock } = deps
  if (config.relay === undefined) return
  const settings = config as Config & MailSettings
  /** Mails that the relay has accepted, and whose rows could not be removed yet. */
  const accepted = new Set<string>()
  let failuresOfRelay = 0
  let notBeforeMs = 0

  async function send(signal: AbortSignal) {
    while (!signal.aborted && clock.monotonicMs() >= notBeforeMs) {
      const mail = await takeMail(database)
      if (mail === undefined) return
      try {
        await sendTaken(mail, signal)
        failuresOfRelay = 0
      } catch (error) {
        // After the lease this or another process sends the mail.
        if (signal.aborted) return
        await postpone(mail, error)
      }
    }
  }

  async function sendTaken(mail: TakenMail, signal: AbortSignal) {
    if (!accepted.has(mail.id)) await write(mail, signal)
    await removeMail(database, mail)
    accepted.delete(mail.id)
  }

  async function write(mail: TakenMail, signal: AbortSignal) {
    const { publicOrigin: origin, mailFrom } = settings
    const chosen = deps.instance.settings()
    const { accent } = chosen
    const name = chosen.name || config.companyName
    const supportEmail = chosen.supportEmail || config.supportEmail
    const found = await letterOf({ ...deps, config: settings, name }, mail)
    if (found === undefined) return
    if (mail.isTooLate)
      throw new NotSent('The mail waited for more than two days, for example while the server was stopped.', {
        isFinal: true,
      })
    const { subject, text, html } = writeMail(found.letter, { name, origin, supportEmail, accent })
    const domain = mailFrom.slice(mailFrom.indexOf('@') + 1)
    const written = {
      messageId: messageIdOf({ id: mail.id, to: found.to, domain }, deps.secret),
      from: { name: onOneLine(name), address: mailFrom },
      to: found.to,
      date: new Date(mail.createdAt),
      subject: onOneLine(subject),
      text,
      html,
      headers: found.letter.headers ?? {},
    }
    await sendMail(settings.relay, written, signal)
    accepted.add(mail.id)
  }

  async function postpone(mail: TakenMail, error: unknown) {
    if (isDatabaseUnavailable(error)) throw error
    const isUnexpected = !(error instanceof NotSent)
    if (isUnexpected) app.log.error({ err: error, mailId: mail.id }, 'a mail could not be handled')
    const refusal = isUnexpected ? new NotSent('The server could not handle this mail.') : error
    const { message: failure, isFinal, isOfRelay, at } = refusal
    await postponeMail(database, mail, { failure, isFinal })
    if (!isUnexpected)
      app.log.warn({ mailId: mail.id, kind: mail.kind, ...at, isFinal }, 'a mail was not accepted')
    if (!isOfRelay) return
    failuresOfRelay++
    notBeforeMs = clock.monotonicMs() + Math.min(1000 * 2 ** failuresOfRelay, longestPauseMs)
  }

  schedule(app, 'sending mails', everyMs, (signal) => ifAvailable(() => send(signal)))
}
