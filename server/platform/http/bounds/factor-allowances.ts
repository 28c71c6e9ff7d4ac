import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { groupsOfIpv6 } from '../request/origin.ts'
import { readNetwork } from './allowances.ts'
import type { LimitRule } from './limits.ts'

/** A multiple of the limits by address, for a network or, without one, for everybody. */
export interface FactorAllowance {
  network: string | null
  factor: number
  until: string
}

/** The first 64 bits of an address, or the 32 bits of an IPv4 address, as 32-bit numbers. */
interface Bits {
  family: 4 | 6
  high: number
  low: number
}

interface Holding {
  /** Null: everybody. */
  network: (Bits & { highMask: number; lowMask: number }) | null
  factor: number
  endsAtMs: number
}

/** The allowances of the database, parsed when they are set. The lookup at each request compares numbers. */
export class FactorAllowances {
  #holding: readonly Holding[] = []
  /** The networks that the log has already. */
  readonly #unreadable = new Set<string>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** One row that cannot be read must not end the others. */
  set(allowances: readonly FactorAllowance[], log: FastifyBaseLogger): void {
    this.#holding = allowances.flatMap(({ network: name, factor, until }) => {
      const network = name === null ? null : maskedBitsOf(name)
      if (network !== undefined) return { network, factor, endsAtMs: new Date(until).getTime() }
      if (!this.#unreadable.has(name!)) log.error({ network: name }, 'an allowance names no network')
      this.#unreadable.add(name!)
      return []
    })
  }

  /** The rule for an address, as `clientAddress` names it: with a greater count while an allowance holds. */
  raise<Rule extends LimitRule>(rule: Rule, address: string): Rule {
    if (this.#holding.length === 0) return rule
    const factor = this.#factorAt(address)
    return factor === 1 ? rule : { ...rule, count: rule.count * factor }
  }

  #factorAt(address: string): number {
    const nowMs = this.#clock.now().getTime()
    const bits = bitsOf(address)
    let largest = 1
    for (const { network, factor, endsAtMs } of this.#holding)
      if (factor > largest && endsAtMs > nowMs && (network === null || contains(network, bits)))
        largest = factor
    return largest
  }
}

const contains = (network: NonNullable<Holding['network']>, bits: Bits | undefined) =>
  bits?.family === network.family &&
  ((bits.high ^ network.high) & network.highMask) === 0 &&
  ((bits.low ^ network.low) & network.lowMask) === 0

/** Undefined for a client whose address is not known. */
function bitsOf(address: string): Bits | undefined {
  if (address.includes(':')) {
    const [a, b, c, d] = groupsOfIpv6(address.split('/')[0]!) as [number, number, number, number]
    return { family: 6, high: (a << 16) | b, low: (c << 16) | d }
  }
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
  if (d === undefined) return undefined
  return { family: 4, high: (a << 24) | (b << 16) | (c << 8) | d, low: 0 }
}

/** Undefined for a text that is no network. */
function maskedBitsOf(text: string): Holding['network'] | undefined {
  const network = readNetwork(text)
  const bits = 'problem' in network ? undefined : bitsOf(network.first)
  if ('problem' in network || bits === undefined) return undefined
  return { ...bits, highMask: maskOf(network.length), lowMask: maskOf(network.length - 32) }
}

/** A 32-bit number whose first `length` bits are set. */
const maskOf = (length: number) => (length <= 0 ? 0 : length >= 32 ? -1 : -1 << (32 - length))
