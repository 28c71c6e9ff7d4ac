import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Done, Id, Instant } from '#contract/schemas.ts'
import { factorMax, factorMin, networkMaxLength } from './rules.ts'

/** A multiple of the limits by address, for the addresses of a network or for everybody, until a time. */
export const Allowance = z.object({
  id: Id,
  /** An address or a network such as `192.0.2.0/24`. Null: everybody. */
  network: z.nullable(z.string()),
  /** How often the usual limits each address has. */
  factor: z.int(),
  until: Instant,
})
export type Allowance = z.infer<typeof Allowance>

export const listAllowances = endpoint({
  summary: 'Lists the allowances that have not ended, the first end first.',
  description: 'Those of the environment are not among them.',
  method: 'GET',
  path: '/api/admin/allowances',
  output: z.array(Allowance),
})

export const addAllowance = endpoint({
  summary: 'Raises the limits by address for a network or for everybody, until a time.',
  description:
    'All processes follow within 2 seconds. Of several allowances for one address, those of the environment included, the largest counts. IPv6 addresses count by their /64. The limits of accounts and of persons stay, so no password can be guessed faster.',
  method: 'POST',
  path: '/api/admin/allowances',
  input: z.object({
    network: z.nullable(AnyText(networkMaxLength)),
    factor: z
      .int()
      .check(
        z.minimum(factorMin, `Please choose a number from ${factorMin} to ${factorMax}.`),
        z.maximum(factorMax, `Please choose a number from ${factorMin} to ${factorMax}.`),
      ),
    until: Instant,
  }),
  output: Allowance,
  status: 201,
  errors: ['TooManyAllowances'],
})

export const endAllowance = endpoint({
  summary: 'Ends an allowance at once.',
  method: 'DELETE',
  path: '/api/admin/allowances/:id',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['AllowanceNotFound'],
})
