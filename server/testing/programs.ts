import type { InjectOptions } from 'fastify'
import { createApiToken } from '#contract/account/tokens/endpoints.ts'
import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import { Client, startTestApp } from './test-app.ts'

type Request = (options: InjectOptions) => ReturnType<Client['request']>

/** A program that calls the API with a token, without cookies. */
export const programWith = (request: Request, token: string): Client =>
  new Client(({ headers, ...options }) =>
    request({ ...options, headers: { authorization: `Bearer ${token}`, ...headers } }),
  )

export const newToken = (person: Client, ...scopes: TokenScope[]) =>
  person.does(createApiToken, { input: { name: 'My script', scopes } })

export const ana = { email: 'ana@example.org', password: 'right pass' }

/** An instance with Ana, who owns the tokens, and a function that makes a program with a token. */
export async function startWithAna(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...options, config: { limitsRates: false, ...options.config } })
  const owner = await t.person(ana)
  return { ...t, owner, programOf: (token: string) => programWith(t.request, token) }
}
