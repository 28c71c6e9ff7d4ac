import { splitName } from '#contract/account/display-name.ts'
import {
  changePassword,
  deleteAccount,
  getMe,
  login,
  loginAsGuest,
  logout,
  register,
  registerByOnboarding,
} from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/fields.ts'
import { errors } from '#contract/errors.ts'
import { done } from '#contract/schemas.ts'
import type { Config } from '#server/config.ts'
import type { PersonalData } from '#server/platform/personal-data.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { type Call, handle, type Route } from '#server/platform/http/handle.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { everyone, guestsToo, people, type Viewer } from '#server/platform/http/policy.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { removeAccount } from './accounts.ts'
import { type Devices, deviceSeconds, type Owner } from './devices.ts'
import { type Hashing, isOutdated } from './hashing.ts'
import { refusalOfPassword } from './passwords.ts'
import {
  addGuest,
  addPerson,
  changeSecret,
  findAccount,
  findAccountByEmail,
  findUser,
  holdSecret,
  lockPerson,
  type NewPerson,
  removeUser,
} from './queries.ts'
import { isReservedName } from './reserved-names.ts'
import { addSession, endSession, lives, renewSession, type SessionKind } from './sessions.ts'
import { createThrottle } from './throttle.ts'

interface Deps {
  config: Config
  database: Database
  clock: Clock
  hashing: Hashing
  devices: Devices
  /** What other features keep for a person. */
  personalData: readonly PersonalData[]
}

const signIns: LimitRule = { name: 'sign-in', count: 10, seconds: 60, by: 'address' }
/**
 * For each account: who signs in gets another device cookie, so that a limit for each cookie would bound nothing. Only
 * browsers that know the password use it up.
 */
const signInsOfKnown: LimitRule = { name: 'sign-in-of-known-device', count: 10, seconds: 60, by: 'person' }
const registrations: LimitRule = { name: 'registration', count: 10, seconds: 600, by: 'address' }
const guests: LimitRule = { name: 'guest', count: 10, seconds: 600, by: 'address' }
const passwordChanges: LimitRule = { name: 'password-change', count: 5, seconds: 900, by: 'person' }

export function accountRoutes({ config, database, clock, hashing, devices, personalData }: Deps): Route[] {
  const throttle = createThrottle({ clock, isOn: config.limitsRates })

  return [
    handle(
      getMe,
      guestsToo,
      async ({ db, viewer, fail }) => (await findUser(db, viewer.id)) ?? fail('SignInRequired'),
    ),

    handle(login, everyone, { opensSession: true }, async (call) => {
      const { db, input, address, audit, fail, viewer, limit, limitOf } = call
      const found = await findAccountByEmail(db, input.email)
      // Outside of demo mode the account of the public defaults is like none (S18).
      const account = found?.isDemo && !config.demoMode ? undefined : found
      const device = devices.find(call.device, account)
      // Others at the address of a known device cannot keep it out (S54).
      if (account !== undefined && device !== undefined) limitOf(account.id, signInsOfKnown)
      else limit(signIns)
      const attempt = {
        // A new password begins with new counters, also one that a command has set.
        account: JSON.stringify([input.email, account?.secret]),
        address,
        device,
        isPublic: account?.isDemo,
      }
      const isRight = await throttle.attempt(attempt, () => hashing.verify(input.password, account?.secret))
      if (account === undefined || !isRight) {
        // Whether a line is written depends on the address alone: the time of the answer names no account (S11).
        await call.auditRefusal('sign-in-refused', { subjectId: account?.id })
        return fail('WrongCredentials')
      }
      const kind = account.isAdmin ? 'admin' : 'user'
      const renewed = isOutdated(account.secret) ? await hashing.hash(input.password) : undefined
      const token = await database.transaction(async (tx) => {
        // The password may have been changed while it was compared.
        if (!(await holdSecret(tx, account))) fail('WrongCredentials')
        if (renewed !== undefined) await changeSecret(tx, account.id, renewed)
        await endOwnSession(tx, viewer)
        await audit('sign-in', { actorId: account.id }, tx)
        return addSession(tx, call.random, account.id, kind)
      })
      const user = await openedFor(call, account.id, kind, token)
      if (!account.isDemo) rememberDevice(call, { ...account, secret: renewed ?? account.secret }, account)
      return user
    }),

    handle(register, everyone, { limits: [registrations], opensSession: true }, async (call) => {
      const { input } = call
      return join(call, input.password, {
        email: input.email,
        firstName: input.firstName ?? null,
        lastName: input.lastName ?? null,
        username: input.username,
        writingSample: null,
      })
    }),

    handle(registerByOnboarding, everyone, { limits: [registrations], opensSession: true }, async (call) => {
      const { name, email, passcode, writingSample } = call.input
      const person = { email, ...splitName(name), username: undefined, writingSample }
      return { user: await join(call, passcode, person) }
    }),

    handle(loginAsGuest, everyone, { opensSession: true }, async (call) => {
      const { viewer, db, random, limit, fail } = call
      if (viewer.kind !== 'visitor') return (await findUser(db, viewer.id)) ?? fail('SignInRequired')
      limit(guests)
      const { id, token } = await database.transaction(async (tx) => {
        const guestId = await addGuest(tx, random)
        return { id: guestId, token: await addSession(tx, random, guestId, 'guest') }
      })
      return openedFor(call, id, 'guest', token)
    }),

    handle(logout, everyone, { opensSession: true }, async ({ db, viewer, clearSession }) => {
      await endOwnSession(db, viewer)
      clearSession()
      return done
    }),

    handle(changePassword, people, { limits: [passwordChanges], opensSession: true }, async (call) => {
      const { db, viewer, input, fail, random, setSession, audit } = call
      const account = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
      const mayChange =
        viewer.session.isFresh ||
        (input.currentPassword !== undefined && (await hashing.verify(input.currentPassword, account.secret)))
      if (!mayChange) fail('SignInAgainToChangePassword')
      if (account.isDemo) fail('DemoAccountStays')
      refuseWeak(input.newPassword, 'newPassword', account.isAdmin)
      const secret = await hashing.hash(input.newPassword)
      const token = await database.transaction(async (tx) => {
        await changeSecret(tx, account.id, secret)
        await audit('password-change', {}, tx)
        return (await renewSession(tx, random, viewer)) ?? fail('SignInRequired')
      })
      setSession(token, lives[viewer.kind].whole)
      rememberDevice(call, { ...account, secret }, account)
      return done
    }),

    handle(deleteAccount, guestsToo, { isAtomic: true, isRepeatable: true }, async (call) => {
      const { viewer, db, fail, clearSession, audit, afterCommit } = call
      if (viewer.kind === 'admin') fail('AdminStays')
      if (viewer.kind === 'user') {
        const account = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
        if (account.isDemo) fail('DemoAccountStays')
        if (!viewer.session.isFresh) fail('SignInAgainToDeleteAccount')
      }
      await removeAccount(db, viewer.id, personalData, afterCommit)
      await audit('account-deletion')
      afterCommit(clearSession)
      return done
    }),
  ]

  /** Registers a person and signs them in; a guest takes along what the guest had (S16). */
  async function join(
    call: Call<typeof register> | Call<typeof registerByOnboarding>,
    password: string,
    person: Omit<NewPerson, 'secret'>,
  ) {
    const { viewer, random } = call
    // Kept for demo mode: who could register it would open an account to all who know the defaults (S18).
    if (person.email === demoAccount.email) refuse('EmailTaken', 'email')
    const name = [person.firstName, person.lastName].filter(Boolean).join(' ')
    if (await isReservedName(database, name))
      refuse('NameReserved', 'name' in call.input ? 'name' : 'firstName')
    if (await isReservedName(database, person.username ?? '')) refuse('NameReserved', 'username')
    refuseWeak(password, 'passcode' in call.input ? 'passcode' : 'password', false)
    const secret = await hashing.hash(password)
    const { id, token } = await database.transaction(async (tx) => {
      const added = await addPerson(tx, random, { ...person, secret })
      if (added === 'EmailTaken') return refuse('EmailTaken', 'email')
      if (added === 'UsernameTaken') return refuse('UsernameTaken', 'username')
      if (viewer.kind === 'guest') {
        await lockPerson(tx, viewer.id)
        for (const { move } of personalData) await move(tx, viewer.id, added.id)
        await removeUser(tx, viewer.id)
      } else await endOwnSession(tx, viewer)
      return { id: added.id, token: await addSession(tx, random, added.id, 'user') }
    })
    const user = await openedFor(call, id, 'user', token)
    rememberDevice(call, { id, secret })
    return user
  }

  /** From now on the browser is a known device of the account, with its password of now. */
  function rememberDevice(
    { device, setDevice }: Pick<Call, 'device' | 'setDevice'>,
    owner: Owner,
    before = owner,
  ) {
    setDevice(devices.add(device, owner, before), deviceSeconds)
  }

  function refuseWeak(password: string, field: string, isAdmin: boolean) {
    const refusal = refusalOfPassword(password, config, { isAdmin })
    if (refusal === undefined) return
    const { code, error } = refusal
    refuse(code, field, error)
  }
}

/** Sets the cookies of a new session and answers the person. */
async function openedFor(
  { db, setSession }: Pick<Call, 'db' | 'setSession'>,
  id: string,
  kind: SessionKind,
  token: string,
) {
  const user = await findUser(db, id)
  // Deleted in this very moment, by another session.
  if (user === undefined) throw new Refused('SignInRequired')
  setSession(token, lives[kind].whole)
  return user
}

type FieldRefusal = 'EmailTaken' | 'UsernameTaken' | 'NameReserved' | 'PasswordTooShort' | 'PasswordTooCommon'

function refuse(code: FieldRefusal, field: string, error: string = errors[code].error): never {
  throw new Refused(code, { error, fields: { [field]: error } })
}

async function endOwnSession(db: Db, viewer: Viewer) {
  if (viewer.kind !== 'visitor') await endSession(db, viewer.session.tokenHash)
}
