import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Id, Instant, Text } from '#contract/schemas.ts'
import { tokenDays, tokenNameMax } from './rules.ts'
import { type TokenScope, tokenScopes } from './scopes.ts'

const Scopes = z.array(z.enum(Object.keys(tokenScopes) as TokenScope[]))

/** An API token of the caller, without its secret. */
export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  scopes: Scopes,
  createdAt: Instant,
  expiresAt: Instant,
  isExpired: z.boolean(),
  /** Some minutes old at most while the token is used; null for a token that was never used. */
  lastUsedAt: z.nullable(Instant),
})
export type ApiToken = z.infer<typeof ApiToken>

/** A new API token. No later answer contains its secret. */
export const NewApiToken = z.object({ ...ApiToken.shape, token: z.string() })
export type NewApiToken = z.infer<typeof NewApiToken>

const path = '/api/me/tokens'

export const listApiTokens = endpoint({
  summary: 'Lists the API tokens of the caller, the newest first.',
  method: 'GET',
  path,
  output: z.array(ApiToken),
})

export const createApiToken = endpoint({
  summary: 'Creates an API token.',
  description:
    'The session of the call must be less than 15 minutes old. `days` says after how many days the token ends.',
  method: 'POST',
  path,
  input: z.object({
    name: Text(tokenNameMax, 'Please give the token a name.'),
    scopes: Scopes.check(
      z.minLength(1, 'Please choose what the token may do.'),
      z.maxLength(Object.keys(tokenScopes).length),
      z.refine((scopes) => new Set(scopes).size === scopes.length, 'Please name each scope once.'),
    ),
    days: z._default(
      z.int('Please choose a number of days.').check(z.minimum(1), z.maximum(tokenDays.max)),
      tokenDays.usual,
    ),
  }),
  output: NewApiToken,
  status: 201,
  errors: ['TooManyApiTokens', 'SignInAgainForToken', 'DemoAccountStays'],
})

export const endApiToken = endpoint({
  summary: 'Ends an API token of the caller.',
  method: 'DELETE',
  path: `${path}/:id`,
  params: z.object({ id: Id }),
  output: Done,
  errors: ['ApiTokenNotFound'],
})
