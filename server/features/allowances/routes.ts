import type { FastifyBaseLogger } from 'fastify'
import { addAllowance, type Allowance, endAllowance, listAllowances } from '#contract/allowances/endpoints.ts'
import { allowanceEndError } from '#contract/allowances/rules.ts'
import { done } from '#contract/schemas.ts'
import { isInstant } from '#server/platform/http/answers/paging.ts'
import { readNetwork } from '#server/platform/http/bounds/allowances.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { add, listHolding, remove } from './queries.ts'

const changes: LimitRule = { name: 'allowances', count: 300, seconds: 3600, by: 'person' }

/** The calls by which admins raise the limits by address. `follow` lets this process read what holds now. */
export function allowanceRoutes(follow: (log: FastifyBaseLogger) => Promise<void>): Route[] {
  return [
    handle(listAllowances, admins, ({ db }) => listHolding(db)),

    handle(addAllowance, admins, { limits: [changes] }, async (call) => {
      const { db, input, now, audit, afterCommit, fail } = call
      const refused = isInstant(input.until)
        ? allowanceEndError(new Date(input.until), now)
        : 'Please choose a real time.'
      if (refused !== undefined) fail('InvalidInput', { fields: { until: refused } })
      const { factor, until } = input
      const network = input.network === null ? null : nameOf(input.network.trim(), fail)
      const allowance = { id: newId(call), network, factor, until }
      if (!(await add(db, allowance))) fail('TooManyAllowances')
      await audit('allowance-added', { subjectId: allowance.id, details: detailsOf(allowance) })
      afterCommit(() => follow(call.log))
      return allowance
    }),

    handle(endAllowance, admins, { limits: [changes] }, async (call) => {
      const { db, params, audit, afterCommit, fail } = call
      const removed = (await remove(db, params.id)) ?? fail('AllowanceNotFound')
      await audit('allowance-ended', { subjectId: params.id, details: detailsOf(removed) })
      afterCommit(() => follow(call.log))
      return done
    }),
  ]
}

/** The network as it is shown, or a refusal. */
function nameOf(text: string, fail: Fail<never>): string {
  const found = readNetwork(text)
  if (!('problem' in found)) return found.name
  const network =
    found.problem === 'form'
      ? 'Please enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48. The largest network is a /8, and a /16 of IPv6.'
      : `This is an address within a network. The network is ${found.network}.`
  return fail('InvalidInput', { fields: { network } })
}

const detailsOf = ({ network, factor, until }: Allowance) => ({
  network: network ?? 'Everybody',
  factor: `${factor} times`,
  until,
})
