import { splitName } from '#contract/account/display-name.ts'
import { usualLimits } from '#contract/allowances/rules.ts'
import {
  deleteOpenidLink,
  finishOpenidAttempt,
  getOpenidLink,
  type OpenidOutcome,
  registerByOpenid,
  startOpenidLink,
  startOpenidSignIn,
} from '#contract/openid/endpoints.ts'
import { done } from '#contract/schemas.ts'
import {
  createJoin,
  enter,
  findAccount,
  findConfirmedEmail,
  isEmailTaken,
  type JoinDeps,
  lockAccountWithSecret,
  mayModerate,
  registrations,
  requireFreshSignIn,
} from '#server/features/account/index.ts'
import type { Needs } from '#server/feature.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { everyone, people } from '#server/platform/http/endpoints/policy.ts'
import { newToken } from '#server/platform/tokens.ts'
import { createProvider, type Identity, type Provider, ProviderError } from './provider.ts'
import {
  addAttempt,
  linkAccount,
  attemptSeconds,
  findIdentifiedSubject,
  findAccountLink,
  findLinkedPerson,
  removeAttempt,
  unlinkAccount,
  takeAttempt,
} from './queries.ts'

export type Deps = JoinDeps & Pick<Needs, 'callOutgoing'>

const starts: LimitRule = {
  name: 'openid-start',
  count: usualLimits.signIns,
  seconds: 60,
  by: 'address',
  isRaisable: true,
}
const answers: LimitRule = { ...starts, name: 'openid-answer' }
/** Counts after the check of the sign-in: otherwise a stolen session could use up the calls of its person. */
const linkStarts: LimitRule = { name: 'openid-link', count: 30, seconds: 3600, by: 'person' }

const callsProvider = {
  answersSecret: true,
  withoutTransaction: 'the handler waits for the provider before it opens a transaction',
}

/** The calls by which people sign in by the provider, sign up by it, and link their account with one there. */
export function openidRoutes(deps: Deps): Route[] {
  const { config, database, instance } = deps
  const openid = createProvider(config, deps.callOutgoing, deps.clock)
  const join = createJoin(deps)

  return [
    handle(startOpenidSignIn, everyone, { ...callsProvider, limits: [starts] }, (call) =>
      start(call, openid ?? call.fail('OpenidOff')),
    ),

    handle(startOpenidLink, people, callsProvider, async (call) => {
      const { db, viewer, limit, fail } = call
      const provider = openid ?? fail('OpenidOff')
      if (viewer.kind === 'admin' || viewer.kind === 'moderator') fail('OpenidNotForModerators')
      await requireFreshSignIn(call, 'SignInAgainToLink')
      await limit(linkStarts)
      if ((await findAccountLink(db, viewer.id)) !== undefined) fail('OpenidAlreadyLinked')
      return start(call, provider, viewer.id)
    }),

    handle(finishOpenidAttempt, everyone, { ...callsProvider, limits: [answers] }, async (call) => {
      const { db, input, fail } = call
      const provider = openid ?? fail('OpenidOff')
      const token = call.openidAttempt ?? ''
      // Used up before the provider is asked, so that an attempt is good once.
      const attempt = (await takeAttempt(db, token)) ?? fail('OpenidAttemptEnded')
      const identity = await askProvider(call.log, () => provider.identify(token, input.answer), fail)
      return attempt.userId === null ? signIn(call, identity) : link(call, identity, attempt.userId)
    }),

    handle(registerByOpenid, everyone, { ...callsProvider, limits: [registrations] }, async (call) => {
      const { db, input, audit, fail } = call
      const token = call.openidAttempt ?? ''
      const identified = (await findIdentifiedSubject(db, token)) ?? fail('OpenidAttemptEnded')
      const person = { email: identified.email, ...splitName(input.name) }
      return join(call, input.passcode, person, async (tx, id) => {
        if (!(await removeAttempt(tx, token))) fail('OpenidAttemptEnded')
        if ((await linkAccount(tx, id, identified)) !== undefined) fail('OpenidLinkTaken')
        await audit('openid-linked', { actorId: id }, tx)
      })
    }),

    handle(getOpenidLink, people, async ({ db, viewer }) => {
      const link = await findAccountLink(db, viewer.id)
      return { linkedAt: link?.linkedAt ?? null }
    }),

    handle(deleteOpenidLink, people, { isRepeatable: true }, async ({ db, viewer, audit }) => {
      if (await unlinkAccount(db, viewer.id)) await audit('openid-unlinked')
      return done
    }),
  ]

  /** The account that is linked, or the one whose confirmed address the provider has verified. Otherwise the person may sign up. */
  async function signIn(call: Call<typeof finishOpenidAttempt>, identity: Identity): Promise<OpenidOutcome> {
    const { db, audit, fail } = call
    const { email } = identity
    const linkedId = await findLinkedPerson(db, identity)
    const id = linkedId ?? (email === undefined ? undefined : (await findConfirmedEmail(db, email))?.userId)
    if (id === undefined) return offerSignUp(call, identity)
    const account = (await findAccount(db, id)) ?? fail('OpenidAttemptEnded')
    if (mayModerate(account) || account.isDemo) fail('OpenidNotForModerators')
    const user = await enter(call, deps, account, {
      lock: async (tx) => {
        // The person may have become an admin or a moderator in the meantime.
        if (!(await lockAccountWithSecret(tx, account))) fail('OpenidAttemptEnded')
      },
      change: async (tx) => {
        if (linkedId !== undefined) {
          if ((await findLinkedPerson(tx, identity)) !== id) fail('OpenidAttemptEnded')
          return
        }
        // The address may belong to another account at the provider by now.
        if ((await linkAccount(tx, id, identity)) !== undefined) fail('OpenidAccountExists')
        await audit('openid-linked', { actorId: id }, tx)
      },
    })
    return { outcome: 'signed-in', user }
  }

  async function offerSignUp(
    call: Call<typeof finishOpenidAttempt>,
    { issuer, subject, email, name }: Identity,
  ): Promise<OpenidOutcome> {
    const { db, fail } = call
    if (email === undefined) return fail('OpenidEmailUnverified')
    if (await isEmailTaken(db, email)) fail('OpenidAccountExists')
    const { registration } = instance.settings()
    if (registration === 'closed') fail('RegistrationClosed')
    if (registration === 'approval') fail('RegistrationNeedsApproval', { error: byApproval })
    const token = newToken(call.random)
    await addAttempt(db, { token, identified: { issuer, subject, email } })
    call.setOpenidAttempt(token, attemptSeconds)
    return { outcome: 'new', email, name }
  }

  async function link(
    call: Call<typeof finishOpenidAttempt>,
    identity: Identity,
    personId: string,
  ): Promise<OpenidOutcome> {
    const { viewer, audit, fail } = call
    await database.transaction(async (tx) => {
      // Another person may have signed in, or the session may have ended, since the attempt began.
      if (viewer.kind !== 'user' || viewer.id !== personId) return fail('OpenidAttemptEnded')
      await requireFreshSignIn({ db: tx, viewer: { ...viewer, kind: 'user' }, fail }, 'SignInAgainToLink')
      const refusal = await linkAccount(tx, personId, identity)
      if (refusal !== undefined) fail(refusal)
      await audit('openid-linked', {}, tx)
    })
    return { outcome: 'linked' }
  }
}

const byApproval =
  'An admin decides here who signs up. Please sign up with a passcode, and link your account in the settings later.'

type StartingCall = Pick<Call, 'db' | 'random' | 'log' | 'setOpenidAttempt'> & {
  fail: Call<typeof startOpenidSignIn>['fail']
}

async function start(call: StartingCall, provider: Provider, userId?: string) {
  const token = newToken(call.random)
  const address = await askProvider(
    call.log,
    () => provider.addressFor(token),
    () => call.fail('OpenidUnavailable'),
  )
  await addAttempt(call.db, { token, ...(userId !== undefined && { userId }) })
  call.setOpenidAttempt(token, attemptSeconds)
  return { address }
}

/** Asks the provider. The operator reads in the log why there is no result. */
async function askProvider<T>(
  log: Call['log'],
  ask: () => Promise<T>,
  refuse: (code: ProviderError['code']) => never,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: error }, 'a sign-in by OpenID Connect failed')
    return refuse(error.code)
  }
}
