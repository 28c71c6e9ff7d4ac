import { splitName } from '#contract/account/display-name.ts'
import {
  changePassword,
  checkEmail,
  deleteAccount,
  getMe,
  login,
  loginAsGuest,
  logout,
  register,
  registerByOnboarding,
} from '#contract/account/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { usualLimits } from '#contract/allowances/rules.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import type { SharedCounters } from '#server/platform/shared-counters.ts'
import { everyone, guestsToo, people, withScope } from '#server/platform/http/endpoints/policy.ts'
import { removeAccount } from './accounts.ts'
import { createDevices } from './devices.ts'
import { endOwnSession, enter, openedFor } from './entering.ts'
import { isOutdated } from './hashing.ts'
import { createJoin, type JoinDeps, registrations } from './join.ts'
import { mayModerate } from './moderators.ts'
import { refusalOfPassword } from './passwords.ts'
import {
  addGuest,
  changeSecret,
  findAccount,
  findAccountByEmail,
  findUser,
  isEmailTaken,
  lockAccountWithSecret,
  lockPerson,
} from './queries.ts'
import { isReservedEmail, refuse, refuseByLists, refuseWeak } from './refuse-unusable.ts'
import { isGoodLink } from './registration-links.ts'
import { findRequest, removeRefused } from './registration-requests.ts'
import { addSession, sessionSeconds, renewSession } from './sessions.ts'
import { createThrottle } from './throttle.ts'

export interface Deps extends JoinDeps {
  /** The counters of all processes; undefined when this process counts by itself. */
  shared: SharedCounters | undefined
}

const signIns: LimitRule = {
  name: 'sign-in',
  count: usualLimits.signIns,
  seconds: 60,
  by: 'address',
  isRaisable: true,
}
/**
 * A limit for each account, not for each device cookie: every sign-in makes a new cookie, so that a limit for each
 * cookie would limit nothing. Only browsers that know the password use it up.
 */
const signInsOfKnown: LimitRule = { name: 'sign-in-of-known-device', count: 10, seconds: 60, by: 'person' }
/** As strict as that of registrations: with its own counter it shows as many addresses again, and no more. */
const emailChecks: LimitRule = { ...registrations, name: 'email-check' }
const guests: LimitRule = { name: 'guest', count: 10, seconds: 600, by: 'address', isRaisable: true }
const passwordChanges: LimitRule = { name: 'password-change', count: 5, seconds: 900, by: 'person' }

const afterHashing = {
  answersSecret: true,
  withoutTransaction: 'the handler opens a transaction after it has hashed the password, which takes long',
}

export function accountRoutes(deps: Deps): Route[] {
  const { config, database, clock, hashing, events, personalData, shared, instance } = deps
  const devices = createDevices(deps)
  const join = createJoin(deps)
  const throttle = createThrottle({ clock, isOn: config.limitsRates, shared })

  return [
    handle(getMe, withScope('any', guestsToo), async ({ db, viewer, fail }) => {
      const me = (await findUser(db, viewer.id)) ?? fail('SignInRequired')
      const { scopes } = viewer.session
      // Of all tokens only the one for an archive shows the email address, because the archive contains it.
      return scopes === undefined || scopes.includes('export') ? me : { ...me, email: null }
    }),

    handle(login, everyone, afterHashing, async (call) => {
      const { db, input, address, fail, limit, limitOf } = call
      const found = await findAccountByEmail(db, input.email)
      // Outside of demo mode the demo account is treated as if it did not exist (S18).
      const account = found?.isDemo && !config.demoMode ? undefined : found
      // Somebody who waits for a decision about the registration, or was refused, reads so after the right password alone.
      const request = account === undefined ? await findRequest(db, input.email) : undefined
      const stored = (account ?? request)?.secret
      const device = devices.find(call.device, account)
      // Other callers at the address of a known device cannot lock it out (S54).
      if (account !== undefined && device !== undefined) await limitOf(account.id, signInsOfKnown)
      else await limit(signIns)
      const attempt = {
        // A new password starts new counters, also a password that a command has set.
        account: JSON.stringify([input.email, stored]),
        address,
        device,
        isPublic: account?.isDemo,
        fail,
      }
      const isRight = await throttle.attempt(attempt, () => hashing.verify(input.password, stored))
      if (request !== undefined && isRight) {
        if (!request.isRefused) fail('RegistrationWaits')
        await removeRefused(db, request.id)
        fail('RegistrationRefused')
      }
      if (account === undefined || !isRight) {
        // Whether a line is written depends on the address alone, so that the time of the answer shows no account (S11).
        await call.auditRefusal('sign-in-refused', { subjectId: account?.id })
        return fail('WrongCredentials')
      }
      // An account from before this rule, a new moderator, or one that was made an admin in the database, may have a weak
      // password (S60).
      if (mayModerate(account) && (await refusalOfPassword(input.password, config, { mayModerate: true }))) {
        await call.auditRefusal('weak-password-refused', { subjectId: account.id })
        return fail(account.isAdmin ? 'AdminPasswordWeak' : 'ModeratorPasswordWeak')
      }
      const renewed = isOutdated(account.secret) ? await hashing.hash(input.password) : undefined
      const user = await enter(call, deps, account, {
        lock: async (tx) => {
          // The password may have been changed while it was compared.
          if (!(await lockAccountWithSecret(tx, account))) fail('WrongCredentials')
        },
        change: async (tx) => {
          if (renewed !== undefined) await changeSecret(tx, account.id, renewed)
        },
      })
      if (!account.isDemo) devices.remember(call, { ...account, secret: renewed ?? account.secret }, account)
      return user
    }),

    handle(register, everyone, { ...afterHashing, limits: [registrations] }, async (call) => {
      const { input } = call
      return join(call, input.password, {
        email: input.email,
        firstName: input.firstName ?? null,
        lastName: input.lastName ?? null,
        username: input.username,
      })
    }),

    handle(registerByOnboarding, everyone, { ...afterHashing, limits: [registrations] }, async (call) => {
      const { name, email, passcode, writingSample } = call.input
      const person = { email, ...splitName(name), writingSample }
      return { user: await join(call, passcode, person) }
    }),

    handle(
      checkEmail,
      everyone,
      { withoutTransaction: 'nothing is stored', limits: [emailChecks], isRepeatable: true },
      async ({ db, input: { email, registrationToken = '' }, address, fail }) => {
        // Who cannot sign up learns of nobody's account.
        const { registration } = instance.settings()
        if (registration === 'closed') fail('RegistrationClosed')
        if (registration === 'invitation' && registrationToken === '') fail('RegistrationNeedsLink')
        if (registration === 'invitation' && !(await isGoodLink(db, registrationToken)))
          fail('RegistrationLinkRefused')
        refuseByLists({ address, fail }, instance, email)
        if (isReservedEmail(email) || (await isEmailTaken(db, email))) refuse(fail, 'EmailTaken', 'email')
        return done
      },
    ),

    handle(loginAsGuest, everyone, { answersSecret: true }, async (call) => {
      const { viewer, db, random, limit, fail } = call
      if (viewer.kind !== 'visitor') return (await findUser(db, viewer.id)) ?? fail('SignInRequired')
      if (!instance.settings().guests) fail('GuestsOff')
      await limit(guests)
      const id = await addGuest(db, random)
      return openedFor(call, id, 'guest', await addSession(db, random, { userId: id, kind: 'guest' }))
    }),

    handle(
      logout,
      everyone,
      { ...oneStatement, answersSecret: true, alwaysAnswers: true },
      async ({ db, viewer, clearSession }) => {
        await endOwnSession(db, viewer)
        clearSession()
        return done
      },
    ),

    handle(changePassword, people, { ...afterHashing, limits: [passwordChanges] }, async (call) => {
      const { db, viewer, input, fail, random, setSession, audit } = call
      const account = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
      const mayChange =
        viewer.session.isFresh ||
        (input.currentPassword !== undefined && (await hashing.verify(input.currentPassword, account.secret)))
      if (!mayChange) fail('SignInAgainToChangePassword')
      if (account.isDemo) fail('DemoAccountStays')
      await refuseWeak({ fail, config, mayModerate: mayModerate(account) }, input.newPassword, 'newPassword')
      const secret = await hashing.hash(input.newPassword)
      const token = await database.transaction(async (tx) => {
        // First, as a deletion and a sign-in do: a mail that is queued needs the row of the person as well.
        if (!(await lockPerson(tx, account.id))) fail('SignInRequired')
        await changeSecret(tx, account.id, secret)
        await audit('password-change', {}, tx)
        await events.emitWithin('passwordChanged', tx, account.id)
        return (await renewSession(tx, { random, events }, viewer)) ?? fail('SignInRequired')
      })
      setSession(token, sessionSeconds[viewer.kind].whole)
      devices.remember(call, { ...account, secret }, account)
      return done
    }),

    handle(deleteAccount, guestsToo, { isRepeatable: true }, async (call) => {
      const { viewer, db, fail, clearSession, audit, afterCommit } = call
      if (viewer.kind === 'admin') fail('AdminStays')
      if (viewer.kind !== 'guest') {
        const account = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
        if (account.isDemo) fail('DemoAccountStays')
        if (!viewer.session.isFresh) fail('SignInAgainToDeleteAccount')
      }
      await removeAccount(db, viewer.id, personalData, { afterCommit, events })
      await audit('account-deletion')
      afterCommit(clearSession)
      return done
    }),
  ]
}
