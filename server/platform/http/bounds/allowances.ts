import { BlockList, isIP } from 'node:net'
import * as z from 'zod/mini'
import { isDay } from '#contract/days.ts'
import type { LimitRule } from './limits.ts'
import { groupsOfIpv6 } from '../request/origin.ts'

/** More registrations and sign-ins for each address of a network, until an instant. */
export interface Allowance {
  network: BlockList
  count: number
  endsAt: Date
}

const form = /^(\S+) +([1-9]\d{0,3}) +(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d))$/i
const networkForm = /^([\d.:a-f]+)(?:\/(\d{1,2}))?$/i
// An allowance for a larger network is more likely a mistake than a class.
const shortestPrefix = { 4: 8, 6: 16 } as const
// Limits count IPv6 by /64: a smaller network has no counter of its own.
const longestPrefix = { 4: 32, 6: 64 } as const

/** `NETWORK NUMBER END`, several separated by commas. */
export const Allowances = z.pipe(
  z.string().check(({ value, issues }) => {
    const message = readAll(value).find((part) => typeof part === 'string')
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }),
  z.transform((text) => readAll(text).filter((part) => typeof part !== 'string')),
)

const wrongForm =
  'a network, a number up to 9999 and an end, such as 192.0.2.0/24 60 2026-12-31T18:00Z, several separated by commas'

const readAll = (text: string) => text.split(',').map(read)

/** Reads one allowance, or says what is wrong with it. */
function read(text: string): Allowance | string {
  const [, named = '', count, end = ''] = form.exec(text.trim()) ?? []
  const found = readNetwork(named)
  const endsAt = new Date(end)
  if ('problem' in found)
    return found.problem === 'form'
      ? wrongForm
      : `${named} is an address within the network ${found.network}, which an allowance names`
  if (Number.isNaN(endsAt.getTime()) || !isDay(end.slice(0, 10))) return wrongForm
  const network = new BlockList()
  network.addSubnet(found.first, found.length, found.family === 4 ? 'ipv4' : 'ipv6')
  return { network, count: Number(count), endsAt }
}

export interface Network {
  /** As short as it can be: `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/64`. */
  name: string
  family: 4 | 6
  first: string
  /** The number of bits that its addresses share. */
  length: number
}

/** Reads an address or a network. An IPv6 address stands for its /64. */
export function readNetwork(
  text: string,
): Network | { problem: 'form' } | { problem: 'within'; network: string } {
  const [, address = '', prefix] = networkForm.exec(text) ?? []
  const family = isIP(address)
  if (family !== 4 && family !== 6) return { problem: 'form' }
  const length = Number(prefix ?? longestPrefix[family])
  if (length < shortestPrefix[family] || length > longestPrefix[family]) return { problem: 'form' }
  const first = firstAddress(address, length)
  // Node compares IPv4 addresses with such a network too (::ffff:192.0.2.7), by more bits than an allowance has.
  if (first.startsWith('::')) return { problem: 'form' }
  const name = length === longestPrefix[4] && family === 4 ? first : `${first}/${length}`
  if (prefix !== undefined && first !== firstAddress(address, 128))
    return { problem: 'within', network: `${first}/${length}` }
  return { name, family, first, length }
}

/** The first address of the network to which an address belongs. */
function firstAddress(address: string, length: number): string {
  const isIpv4 = isIP(address) === 4
  const bits = isIpv4 ? 8 : 16
  const parts = isIpv4 ? address.split('.').map(Number) : groupsOfIpv6(address)
  const kept = parts.map((part, at) => {
    const hostBits = Math.min(bits, Math.max(0, (at + 1) * bits - length))
    return (part >> hostBits) << hostBits
  })
  if (isIpv4) return kept.join('.')
  // The short form.
  return new URL(`http://[${kept.map((part) => part.toString(16)).join(':')}]`).hostname.slice(1, -1)
}

/** The rule for an address, as `clientAddress` names it: with the count of an allowance that holds now, when it is greater. */
export function withAllowance<Rule extends LimitRule>(
  rule: Rule,
  address: string,
  { allowances, now }: { allowances: readonly Allowance[]; now: Date },
): Rule {
  const [ip = ''] = address.split('/')
  const family = isIP(ip)
  if (family === 0) return rule
  const counts = allowances
    .filter(({ network, endsAt }) => now < endsAt && network.check(ip, family === 6 ? 'ipv6' : 'ipv4'))
    .map(({ count }) => count)
  return { ...rule, count: Math.max(rule.count, ...counts) }
}
