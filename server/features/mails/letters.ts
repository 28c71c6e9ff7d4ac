import type { MailKind } from '#contract/mails/mail.ts'
import { confirmationLink } from '#contract/mails/path.ts'
import { resetLink, resetPath } from '#contract/password-resets/path.ts'
import type { Config } from '#server/config.ts'
import type { Needs } from '#server/feature.ts'
import {
  type EmailOfPerson,
  findAccount,
  findConfirmedEmail,
  findEmail,
} from '#server/features/account/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { addMailLink } from './links.ts'
import { findBounce, setAddressee, type TakenMail } from './queries.ts'
import type { Letter } from './template.ts'

export interface LetterDeps extends Pick<Needs, 'database' | 'random'> {
  config: Pick<Config, 'timeZone'> & { publicOrigin: string }
  /** The name of the instance or its company. */
  name: string
}

/** Writes the letter of a mail, with its address. Undefined when nobody is to get the mail any more. */
export async function letterOf(
  deps: LetterDeps & { awayNotificationLetters: AwayNotificationLetters },
  mail: TakenMail,
): Promise<{ to: string; letter: Letter } | undefined> {
  const email = await addresseeOf(deps.database, mail)
  const letter =
    email && (await { ...writers, ...deps.awayNotificationLetters }[mail.kind](deps, email, mail))
  return letter && { to: email.address, letter }
}

/**
 * Whom the mail goes to; undefined when nobody is to get it. Only a confirmation goes to an address that is not confirmed. An
 * address from which a mail came back gets what somebody asks for alone. For a mail to an address that somebody typed, finds
 * whose address it is, and stores that.
 */
async function addresseeOf(db: Database, mail: TakenMail): Promise<EmailOfPerson | undefined> {
  if (mail.userId === null) {
    const email = await findConfirmedEmail(db, mail.address!)
    if (email !== undefined) await setAddressee(db, mail, email.userId)
    return email
  }
  const email = await findEmail(db, mail.userId)
  if (email === undefined) return undefined
  const hasBounced = (await findBounce(db, mail.userId)) !== undefined
  const isWanted =
    mail.kind === 'confirmation'
      ? !email.isConfirmed || hasBounced
      : email.isConfirmed && (mail.kind === 'reset' || !hasBounced)
  return isWanted ? email : undefined
}

/** Writes a letter to a person, as things are now. Undefined when the person is not to get it any more. */
export type LetterWriter = (
  deps: LetterDeps,
  email: EmailOfPerson,
  mail: TakenMail,
) => Promise<Letter | undefined>

/** The mails that the feature of away notifications writes. */
type AwayNotificationMailKind = 'notices' | 'weekly'
export type AwayNotificationLetters = Record<AwayNotificationMailKind, LetterWriter>

/** None of these mails contains what somebody else typed: the address of the first mail may be that of a stranger. */
const writers: Record<Exclude<MailKind, AwayNotificationMailKind>, LetterWriter> = {
  async confirmation({ database, random, config, name }, { userId, address }) {
    const token = await addMailLink(database, random, { userId, purpose: 'confirmation', boundTo: address })
    return {
      subject: `Confirm your email address for ${name}`,
      title: 'Is this your address?',
      paragraphs: [
        `An account at ${config.publicOrigin} has this email address. If the account is yours, confirm the address: then you can set a new passcode by mail when you have forgotten yours.`,
        'The link is good for seven days. If the account is not yours, do nothing: without a confirmation it gets no other mails.',
      ],
      button: { label: 'Confirm this address', address: confirmationLink(config.publicOrigin, token) },
    }
  },

  async reset({ database, random, config, name }, { userId }) {
    const account = await findAccount(database, userId)
    // The passcode of an admin is set on the server alone.
    if (account === undefined || account.isAdmin || account.isDemo) return undefined
    const token = await addMailLink(database, random, { userId, purpose: 'reset', boundTo: account.secret })
    return {
      subject: `Set a new passcode for ${name}`,
      title: 'Set a new passcode',
      paragraphs: [
        'Somebody asked for a new passcode for the account with this email address.',
        'The link is good once, for 30 minutes after this mail was sent. If it was not you, do nothing: your passcode stays as it is.',
      ],
      button: { label: 'Set a new passcode', address: resetLink(config.publicOrigin, token) },
    }
  },

  async 'password-changed'({ database, config, name }, { userId }, { createdAt }) {
    // No mail sets the passcode of an admin.
    const isAdmin = (await findAccount(database, userId))?.isAdmin
    const when = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: config.timeZone,
    }).format(new Date(createdAt))
    return {
      subject: `Your passcode for ${name} was changed`,
      title: 'Your passcode was changed',
      paragraphs: [
        `The passcode of the account with this email address was changed on ${when} (${config.timeZone}). All other devices were signed out.`,
        isAdmin
          ? 'If it was not you, have a new passcode set on the server now, by the command "password EMAIL". Then nobody else can sign in any more.'
          : 'If it was not you, set a new passcode now. Then nobody else can sign in any more.',
      ],
      button: isAdmin
        ? undefined
        : { label: 'Set a new passcode', address: `${config.publicOrigin}${resetPath}` },
    }
  },
}
