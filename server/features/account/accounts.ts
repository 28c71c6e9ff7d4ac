import type { FastifyBaseLogger } from 'fastify'
import { splitName } from '#contract/account/display-name.ts'
import { Email, NewPassword } from '#contract/account/fields.ts'
import { adminPasswordMinLength, demoAccount, passwordMessage } from '#contract/account/rules.ts'
import { errors } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import { DomainEvents } from '#server/domain-events.ts'
import type { Needs, PersonalData, PurgePlace, Removal } from '#server/feature.ts'
import { addAuditEntry } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import type { Hashing } from './hashing.ts'
import { mayModerate } from './moderators.ts'
import { refusalOfPassword } from './passwords.ts'
import {
  addPerson,
  changeSecret,
  findAccount,
  findAccountByEmail,
  hasAdmin,
  lockPersonForDeletion,
  removeUser,
  setAdmin,
} from './queries.ts'
import { endDemoSessions, endSessionsOf, listUnusedGuests } from './sessions.ts'
import { findSuspension, removeSuspension } from './suspensions.ts'

export interface Sources extends Pick<Needs, 'database' | 'clock' | 'random'> {
  logger?: FastifyBaseLogger | undefined
}

/** Of a command that sets a password. */
interface SourcesWithEvents extends Sources {
  events: DomainEvents
}

/**
 * Removes a person with all private data; published posts and passages stay without a name (S15). Runs in a transaction.
 * Refuses while a suspension hides the texts: without the account they would be shown again.
 */
export async function removeAccount(
  tx: Db,
  id: string,
  personalData: readonly PersonalData[],
  { afterCommit, events }: Removal,
): Promise<void> {
  await lockPersonForDeletion(tx, id)
  if ((await findSuspension(tx, id))?.hidesTexts) throw new Refused('HiddenTextsWouldReturn')
  for (const { remove } of personalData) await remove?.(tx, id, { afterCommit, events })
  afterCommit(() => events.emit('accountRemoved'))
  await removeUser(tx, id)
}

async function removeInTransaction(
  { database, personalData, events }: Omit<PurgePlace, 'dataDir' | 'uploads'>,
  id: string,
  alongWith: (tx: Db) => Promise<void> = async () => {},
) {
  const afterwards: (() => void)[] = []
  await database.transaction(async (tx) => {
    await removeAccount(tx, id, personalData, { afterCommit: (work) => afterwards.push(work), events })
    await alongWith(tx)
  })
  for (const work of afterwards) work()
}

/** Removes guests without use for 30 days. A failure to remove one is reported after all others are removed. */
export async function purgeGuests(
  place: Omit<PurgePlace, 'dataDir' | 'uploads'>,
  signal?: AbortSignal,
): Promise<void> {
  const { database } = place
  let failure: unknown
  let guests = await listUnusedGuests(database, '')
  while (guests.length > 0) {
    for (const { id } of guests) {
      if (signal?.aborted) return
      try {
        await removeInTransaction(place, id)
      } catch (error) {
        failure ??= error
      }
    }
    guests = await listUnusedGuests(database, guests.at(-1)!.id)
  }
  if (failure !== undefined) throw failure
}

/** Makes the first admin from the settings, when there is none; an address in use is never promoted (S17). */
export async function ensureFirstAdmin(sources: Sources, hashing: Hashing, config: Config): Promise<void> {
  const { database, random, logger } = sources
  const { adminEmail, adminPassword } = config
  if (adminEmail === undefined || adminPassword === undefined) return
  if (await hasAdmin(database)) return
  const email = Email.safeParse(adminEmail)
  if (!email.success) throw new OperatorError('ADMIN_EMAIL is not an email address.')
  if ((await refusalOfPassword(adminPassword, config, { mayModerate: true })) !== undefined) {
    throw new OperatorError(
      `ADMIN_PASSWORD is too short or too common: choose at least ${adminPasswordMinLength} characters of your own.`,
    )
  }
  const secret = await hashing.hash(adminPassword)
  await database.transaction(async (tx) => {
    const added = await addPerson(tx, random, {
      email: email.data,
      secret,
      firstName: 'Admin',
      lastName: null,
      isAdmin: true,
    })
    // Another process may have made the admin in the meantime. An unattended start continues.
    if (added === 'EmailTaken' && !(await hasAdmin(tx)))
      logger?.warn('ADMIN_EMAIL is registered by an ordinary person: "admin grant" makes an admin of them.')
    if (typeof added === 'object')
      await addAuditEntry(tx, sources, { action: 'admin-granted', subjectId: added.id })
  })
}

/** The demo account has the public defaults of the sign-in form. Sign-in to it works in demo mode only (S18). */
export async function ensureDemoAccount(
  { database, random }: Sources,
  hashing: Hashing,
  { demoMode }: Config,
): Promise<void> {
  if (!demoMode) return endDemoSessions(database)
  if ((await findAccountByEmail(database, demoAccount.email)) !== undefined) return
  const secret = await hashing.hash(demoAccount.password)
  await database.transaction((tx) =>
    addPerson(tx, random, {
      ...demoAccount,
      secret,
      ...splitName('Demo Writer'),
      isDemo: true,
    }),
  )
}

/** Makes an admin with a new password, because the length of the present one is not known (S13, S60). */
export async function grantAdmin(
  sources: SourcesWithEvents,
  hashing: Hashing,
  rules: PasswordRules,
  given: GivenPassword,
): Promise<string> {
  const { id, isDemo } = await accountOf(sources, given.email)
  if (isDemo) throw new OperatorError('The demo account can never be an admin.')
  const secret = await secretOf(hashing, rules, given.password, { mayModerate: true })
  await sources.database.transaction(async (tx) => {
    // First: a sign-in locks the person before the password as well.
    await setAdmin(tx, id, true)
    // No admin is suspended.
    const wasSuspended = await removeSuspension(tx, id)
    await changeSecret(tx, id, secret)
    await endSessionsOf(tx, id)
    await addAuditEntry(tx, sources, { action: 'password-change', subjectId: id })
    await addAuditEntry(tx, sources, { action: 'admin-granted', subjectId: id })
    if (wasSuspended) await addAuditEntry(tx, sources, { action: 'suspension-lifted', subjectId: id })
    await sources.events.emitWithin('passwordChanged', tx, id)
  })
  return `${given.email} is an admin now. All sessions have ended: sign in with the new password.`
}

export async function revokeAdmin(sources: Sources, email: string): Promise<string> {
  const { id, isAdmin } = await accountOf(sources, email)
  if (!isAdmin) throw new OperatorError(`${email} is no admin.`)
  await sources.database.transaction(async (tx) => {
    await setAdmin(tx, id, false)
    // Sessions of admins end earlier than those of users (S22, S23).
    await endSessionsOf(tx, id)
    await addAuditEntry(tx, sources, { action: 'admin-revoked', subjectId: id })
  })
  return `${email} is no admin any more.${await warningWithoutAdmin(sources)}`
}

const warningWithoutAdmin = async ({ database }: Sources) =>
  (await hasAdmin(database)) ? '' : ' Nobody is an admin now: make one with "admin grant EMAIL".'

export async function removeAccountByEmail(
  sources: Sources,
  email: string,
  personalData: readonly PersonalData[],
): Promise<string> {
  const { id, isAdmin } = await accountOf(sources, email)
  if ((await findSuspension(sources.database, id))?.hidesTexts)
    throw new OperatorError(errors.HiddenTextsWouldReturn.error)
  // Nobody listens in the process of a command.
  const place = { database: sources.database, personalData, events: new DomainEvents() }
  await removeInTransaction(place, id, (tx) =>
    addAuditEntry(tx, sources, { action: 'account-deletion', subjectId: id }),
  )
  return `The account of ${email} is deleted.${isAdmin ? await warningWithoutAdmin(sources) : ''}`
}

interface GivenPassword {
  email: string
  password: string
}

type PasswordRules = Parameters<typeof refusalOfPassword>[1]

/** Sets a password and ends all sessions of the person, who signs in anew; the rules of new passwords hold (S13). */
export async function setPassword(
  sources: SourcesWithEvents,
  hashing: Hashing,
  rules: PasswordRules,
  { email, password }: GivenPassword,
): Promise<string> {
  const account = await accountOf(sources, email)
  const { id, isDemo } = account
  if (isDemo) throw new OperatorError(errors.DemoAccountStays.error)
  const secret = await secretOf(hashing, rules, password, { mayModerate: mayModerate(account) })
  await sources.database.transaction(async (tx) => {
    // First: a sign-in with the old password that runs now has its session when this statement returns.
    await changeSecret(tx, id, secret)
    // The person may have become an admin or a moderator in the meantime (S60).
    const now = await findAccount(tx, id)
    if (now === undefined || mayModerate(now) !== mayModerate(account))
      throw new OperatorError(`The rights of ${email} have just changed. Nothing was changed: try again.`)
    await endSessionsOf(tx, id)
    await addAuditEntry(tx, sources, { action: 'password-change', subjectId: id })
    await sources.events.emitWithin('passwordChanged', tx, id)
  })
  return `The password of ${email} is set. All sessions have ended: sign in with the new password.`
}

/** The digest of a new password, which is refused when it breaks a rule. */
async function secretOf(
  hashing: Hashing,
  rules: PasswordRules,
  password: string,
  who: { mayModerate: boolean },
): Promise<string> {
  const parsed = NewPassword(passwordMessage).safeParse(password)
  if (!parsed.success) throw new OperatorError(parsed.error.issues[0]!.message)
  const refusal = await refusalOfPassword(password, rules, who)
  if (refusal !== undefined) throw new OperatorError(refusal.error ?? errors[refusal.code].error)
  return hashing.hash(password)
}

export async function accountOf({ database }: Sources, email: string) {
  const account = await findAccountByEmail(database, email.trim().toLowerCase())
  if (account === undefined) throw new OperatorError(`Nobody is registered as ${email}.`)
  return account
}
