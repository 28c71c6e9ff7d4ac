import type { InjectOptions } from 'fastify'
import { createApiToken } from '#contract/account/tokens/endpoints.ts'
import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import { Client } from './test-app.ts'

type Request = (options: InjectOptions) => ReturnType<Client['request']>

/** A program that calls the API with a token, without cookies. */
export const programWith = (request: Request, token: string): Client =>
  new Client(({ headers, ...options }) =>
    request({ ...options, headers: { authorization: `Bearer ${token}`, ...headers } }),
  )

export const newToken = (person: Client, ...scopes: TokenScope[]) =>
  person.does(createApiToken, { input: { name: 'My script', scopes } })
