import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyBaseLogger, FastifyContextConfig, FastifyRequest } from 'fastify'
import { clusterOf } from '../../database/place.ts'
import { watchDisks } from '../../disk.ts'
import { withAllowance } from '../bounds/allowances.ts'
import type { Charge, LimitRule, Limits, WeighedRule } from '../bounds/limits.ts'
import { apiTokenOf } from './api-token.ts'
import { clientAddress, isChange, isForwarded, isLocal, isOwnRequest } from './origin.ts'
import { type Policy, requireScope, type Viewer } from '../endpoints/policy.ts'
import { Refused } from '../refusal.ts'
import { refuseAmbiguousQuery, refuseAmbiguousUrl, refuseOtherMediaType } from './request-shape.ts'
import type { Platform } from '../platform.ts'
import { sessionCookie } from './session-cookie.ts'
import { ownerAt, type Traffic } from '../bounds/traffic.ts'

const reads: LimitRule = { name: 'reads', count: 600, seconds: 60, by: 'address' }
// Thirty people who write together behind one address send about 900 in a minute.
const changes: LimitRule = { name: 'changes', count: 1200, seconds: 60, by: 'address' }

const visitor: Viewer = { kind: 'visitor' }

const tokenForm = 'Please send the token in the form "Authorization: Bearer TOKEN".'

interface AdmissionDeps {
  limits: Limits
  traffic: Traffic
  isTrustedProxy: (address: string, hop: number) => boolean
  log: FastifyBaseLogger
}

/** Decides before the body is read whether a request may go on to its handler. */
export async function createAdmission(
  { config, clock, allowances, findViewer, findTokenViewer, refusals }: Platform,
  { limits, traffic, isTrustedProxy, log }: AdmissionDeps,
) {
  const cookieName = sessionCookie(config).name
  const disk =
    config.databaseUrl === undefined
      ? watchDisks([config.dataDir, await clusterOf(config.dataDir)], log)
      : undefined

  /**
   * The counters of a request under rules. A visitor counts by address, also under a rule by person. Direct connections of
   * this machine are exempt from limits by address (S47).
   */
  function chargesOf(request: FastifyRequest, rules: readonly WeighedRule[]): Charge[] {
    const { viewer } = request
    return rules.flatMap((rule): Charge[] => {
      if (rule.by === 'person' && viewer.kind !== 'visitor') return [{ rule, key: viewer.id }]
      if (isLocal(request)) return []
      const key = clientAddress(request.ip)
      return [{ rule: { ...raised(rule, key), by: 'address' }, key }]
    })
  }

  /** Counts a request towards limits, and refuses it when it is over one of them. */
  const take = (request: FastifyRequest, rules: readonly WeighedRule[]) =>
    limits.take(chargesOf(request, rules))

  /** The rule with the greater count: that of an allowance of the environment, or that of an allowance of an admin. */
  function raised<Rule extends WeighedRule>(rule: Rule, address: string): Rule {
    const byAdmin = allowances.raise(rule, address)
    if (!rule.isRaisable || config.registrationAllowances === undefined) return byAdmin
    return withAllowance(byAdmin, address, {
      allowances: config.registrationAllowances,
      now: clock.now(),
    })
  }

  /** Runs the checks that need no session. Returns a promise only when Redis counts the limits. */
  function admitAddress(request: FastifyRequest, route: FastifyContextConfig) {
    const changesData = isChange(request.method)
    traffic.admit(request)
    if (disk?.isFull && changesData && !route.alwaysAnswers)
      throw new Refused('Unavailable', { retryAfter: 5 })
    refuseAmbiguousUrl(request)
    // Refuse before counting: a foreign page must not use up the limits of its visitor.
    if (changesData && route.policy !== undefined && !route.takesForeignRequests) {
      // Browsers add no API token by themselves, so a call with one may come from the page of another site.
      if (apiTokenOf(request) === undefined && !isOwnRequest(request, config.publicOrigin))
        throw new Refused('ForeignRequest')
      refuseOtherMediaType(request)
    }
    const rules = route.limits?.filter(({ by }) => by === 'address') ?? []
    const counted = take(request, [changesData ? changes : (route.reads ?? reads), ...rules])
    if (counted !== undefined) return counted.then(() => refuseQuery(request, route))
    refuseQuery(request, route)
    return undefined
  }

  function refuseQuery(request: FastifyRequest, { policy }: FastifyContextConfig) {
    if (policy?.ignoresSession) refuseAmbiguousQuery(request)
  }

  /** Finds the person by the API token or the session, and checks the policy, the scope and the limits by person. */
  async function admitPerson(request: FastifyRequest, policy: Policy) {
    const apiToken = apiTokenOf(request)
    const token = apiToken ?? request.cookies[cookieName]
    if (token !== undefined) {
      traffic.admitSession(request, token)
      request.viewer = await (apiToken === undefined ? findViewer(token) : viewerOf(apiToken))
      // One query reads the sessions of many requests, so all of them go on at the same moment.
      traffic.admitToDatabaseQueue(request)
    }
    traffic.admitPerson(request)
    await refuseByPolicy(request, policy)
    refuseOtherPerson(request)
    if (apiToken !== undefined)
      requireScope(request.viewer, policy.scope, request.routeOptions.config.endpoint)
    if (request.viewer.kind !== 'visitor')
      await take(request, request.routeOptions.config.limits?.filter(({ by }) => by === 'person') ?? [])
    refuseAmbiguousQuery(request)
  }

  /** A page that sends what a person wrote a while ago names the person: the browser may have another one's session now. */
  function refuseOtherPerson({ headers, viewer }: FastifyRequest) {
    const expected = headers['expected-person']
    if (expected === undefined) return
    if (viewer.kind === 'visitor') throw new Refused('SignInRequired')
    if (viewer.id !== expected) throw new Refused('OtherPerson')
  }

  async function viewerOf(apiToken: string): Promise<Viewer> {
    if (apiToken === '') throw new Refused('TokenRefused', { error: tokenForm })
    const found = await findTokenViewer(apiToken)
    if (found === undefined) throw new Refused('TokenRefused')
    return found
  }

  async function refuseByPolicy({ viewer, id: requestId }: FastifyRequest, policy: Policy) {
    const verdict = policy[viewer.kind]
    const { signIn } = policy
    if (verdict === 401) throw new Refused('SignInRequired', signIn === undefined ? {} : { error: signIn })
    if (verdict !== 403) return
    if (policy.user === 403 && viewer.kind !== 'visitor') {
      const refusal = { action: 'admin-call-refused', actorId: viewer.id, requestId } as const
      await refusals.add(`admin call by ${viewer.id}`, '', refusal)
    }
    throw new Refused('NotAllowed')
  }

  return {
    take,
    chargesOf,
    /**
     * Most reads need neither a session nor Redis. For these `done` is called at once, without a promise, to save time. A
     * request that will be refused is checked by another configuration than that of its route.
     */
    admit(
      request: FastifyRequest,
      done: (error?: Error) => void,
      route: FastifyContextConfig = request.routeOptions.config,
    ) {
      request.viewer = visitor
      let counted: Promise<void> | undefined
      try {
        counted = admitAddress(request, route)
      } catch (error) {
        return done(error as Error)
      }
      const { policy } = route
      const needsPerson =
        policy !== undefined &&
        (!policy.ignoresSession || (route.endpoint !== undefined && apiTokenOf(request) !== undefined))
      if (counted === undefined && !needsPerson) return done()
      Promise.resolve(counted)
        .then(() => (needsPerson ? admitPerson(request, policy) : undefined))
        .then(() => done(), done)
    },
    /**
     * Counts a read of an answer that is ready and the same for everybody, and returns its owner. Undefined when the
     * request must be refused or wait: `admit` decides then.
     */
    admitAtOnce(request: IncomingMessage, response: ServerResponse, rule = reads): string | undefined {
      const hops = proxyAddr.all(request, isTrustedProxy)
      // The framework reads this request, so that the check of `warnOfProxies` sees it.
      if (hops.length === 1 && isForwarded(request.headers)) return undefined
      const address = clientAddress(hops.at(-1))
      const owner = ownerAt(address)
      if (!traffic.mayAnswerAtOnce(response, owner)) return undefined
      return isLocal(request) || limits.takeAtOnce(raised(rule, address), address) ? owner : undefined
    },
    stop: () => disk?.stop(),
  }
}
