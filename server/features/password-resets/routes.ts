import { errors } from '#contract/errors.ts'
import {
  createPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '#contract/password-resets/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import {
  changeSecret,
  endSessionsOf,
  findAccount,
  lockAccountWithSecret,
  lockPeople,
  refusalOfPassword,
} from '#server/features/account/index.ts'
import { addMail, findPersonOfMailLink, redeemMailLink } from '#server/features/mails/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { admins, everyone } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { newToken } from '#server/platform/tokens.ts'
import { findPersonOfReset, redeemResetLink, saveReset } from './queries.ts'

export type Deps = Pick<Needs, 'config' | 'database' | 'hashing' | 'events'>

/** Counts after the check of the sign-in: otherwise a stolen session could use up the calls of its admin. */
const newLinks: LimitRule = { name: 'password-reset-links', count: 20, seconds: 3600, by: 'person' }
const requests: LimitRule = { name: 'reset-requests', count: 5, seconds: 600, by: 'address' }
/** For each email address that callers type, so that nobody fills the mailbox of a person from many addresses. */
const requestsOfEmail: LimitRule = { name: 'reset-requests-of-email', count: 3, seconds: 1800, by: 'person' }
const resets: LimitRule = { name: 'password-resets', count: 10, seconds: 600, by: 'address' }

export function passwordResetRoutes({ config, database, hashing, events }: Deps): Route[] {
  return [
    // A link opens the account of a person with the private texts, so a stolen session of an admin must not make one.
    handle(createPasswordReset, admins, { answersSecret: true }, async (call) => {
      const { db, viewer, params, random, limit, fail, audit } = call
      if (!viewer.session.isFresh) fail('SignInAgainToResetPassword')
      await limit(newLinks)
      // The rights of the admin may have changed before both were locked.
      await lockPeople(db, [viewer.id, params.id])
      const admin = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
      if (!admin.isAdmin) fail('NotAllowed')
      const account = (await findAccount(db, params.id)) ?? fail('UserNotFound')
      // A new password of an admin would have to be known to nobody else (S60).
      if (account.isAdmin) fail('AdminResetsOnServer')
      if (account.isDemo) fail('DemoAccountStays')
      const token = newToken(random)
      const expiresAt = await saveReset(db, { account, adminId: viewer.id, token })
      await audit('password-reset-link', { subjectId: account.id })
      await notifyPeople(call, events, 'password.reset-link', [
        { personId: account.id, otherPersonId: null, details: { madeAt: await databaseNow(db) } },
      ])
      return { token, expiresAt }
    }),

    handle(
      requestPasswordReset,
      everyone,
      { ...oneStatement, limits: [requests] },
      async ({ db, input: { email }, limitOf, clock, random }) => {
        await limitOf(email, requestsOfEmail)
        // One statement for every address. Whose address it is, is looked up when the mail is sent, so that neither the
        // answer nor its time shows who has an account (S11).
        if (config.relay !== undefined)
          await addMail(db, { id: newId({ clock, random }), kind: 'reset', address: email })
        return done
      },
    ),

    handle(
      resetPassword,
      everyone,
      {
        limits: [resets],
        answersSecret: true,
        withoutTransaction:
          'the handler opens a transaction after it has hashed the password, which takes long',
      },
      async ({ input: { token, newPassword }, audit, fail }) => {
        const refuse = (refusal: Awaited<ReturnType<typeof refusalOfPassword>>) => {
          if (refusal === undefined) return
          const { code, error = errors[code].error } = refusal
          fail(code, { error, fields: { newPassword: error } })
        }
        refuse(await refusalOfPassword(newPassword, config, { mayModerate: false }))
        const refusalForModerator = await refusalOfPassword(newPassword, config, { mayModerate: true })
        // Before the link is looked up, so that the time of the answer does not show whether there is one.
        const secret = await hashing.hash(newPassword)
        await database.transaction(async (tx) => {
          const id =
            (await findPersonOfReset(tx, token)) ??
            (await findPersonOfMailLink(tx, token, 'reset')) ??
            fail('PasswordResetNotFound')
          const account = (await findAccount(tx, id)) ?? fail('PasswordResetNotFound')
          // Everything may have changed before both rows were locked, so the link is examined again.
          if (!(await lockAccountWithSecret(tx, account))) fail('PasswordResetNotFound')
          const { isAdmin, isModerator, isDemo } =
            (await findAccount(tx, id)) ?? fail('PasswordResetNotFound')
          if (isAdmin || isDemo) fail('PasswordResetNotFound')
          const isRedeemed =
            (await redeemResetLink(tx, token)) ||
            (await redeemMailLink(tx, token, { purpose: 'reset', boundTo: account.secret }))
          if (!isRedeemed) fail('PasswordResetNotFound')
          // After the link: only its holder learns that the person is a moderator (S60).
          if (isModerator) refuse(refusalForModerator)
          await changeSecret(tx, id, secret)
          await endSessionsOf(tx, id)
          await audit('password-reset', { actorId: id }, tx)
          await events.emitWithin('passwordChanged', tx, id)
        })
        return done
      },
    ),
  ]
}
