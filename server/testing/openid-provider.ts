import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** What the provider knows of a person, by the name that the person signs in with there. */
export interface PersonThere {
  email?: string
  email_verified?: boolean
  name?: string
}

interface Options {
  /** Where people are sent back to. */
  origin: string
  port?: number
  /** Whether the ID token has the claims of the person, or `/me` alone. */
  hasClaimsInToken?: boolean
}

/** What a provider does wrong. `claims` are changed and signed anew. */
export interface Fault {
  /** A path that is never answered. */
  stalls?: string
  claims?: (claims: JWTPayload) => JWTPayload
  /** Signs with another key than the one that it publishes. */
  signsWrong?: boolean
  /** The answer to every request. */
  answer?: { status: number; headers?: Record<string, string>; body: string }
}

export const openidClient = { id: 'zimmer', secret: 'the secret of the client' }
const algorithm = 'RS256'
const keyId = 'of the test'

/** A real OpenID Connect provider on this machine, which the caller closes. */
export async function openProvider({ origin, port = 0, hasClaimsInToken = false }: Options) {
  const people = new Map<string, PersonThere>()
  const fault: Fault = {}
  const [key, otherKey] = await Promise.all(
    [1, 2].map(() => generateKeyPair(algorithm, { extractable: true })),
  )
  const jwk = { ...(await exportJWK(key!.privateKey)), kid: keyId, alg: algorithm, use: 'sig' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It warns that it is made for development, which it is here.
  const { warn } = console
  console.warn = () => {}
  const { Provider } = await import('oidc-provider')
  const provider = new Provider(issuer, {
    clients: [
      { client_id: openidClient.id, client_secret: openidClient.secret, redirect_uris: [`${origin}/openid`] },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !hasClaimsInToken,
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [jwk] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people.get(id) }),
    }),
    // Nobody is asked what Z!mmer may learn.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        accountId: oidc.session!.accountId!,
        clientId: oidc.client!.clientId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    if (fault.stalls === context.path) await new Promise(() => {})
    if (fault.answer !== undefined) {
      const { status, headers = {}, body } = fault.answer
      Object.assign(context, { status, body })
      return context.set({ 'content-type': 'application/json', ...headers })
    }
    await next()
    const { body } = context as { body?: { id_token?: string } }
    if (context.path !== '/token' || body?.id_token === undefined) return
    if (fault.claims === undefined && !fault.signsWrong) return
    const claims = decodeJwt(body.id_token)
    body.id_token = await new SignJWT(fault.claims?.(claims) ?? claims)
      .setProtectedHeader({ alg: algorithm, kid: keyId })
      .sign((fault.signsWrong ? otherKey : key)!.privateKey)
  })
  const requests: string[] = []
  const answer = provider.callback()
  console.warn = warn
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${new URL(request.url!, issuer).pathname}`)
    void answer(request, response)
  })

  /**
   * Goes to an address of the provider as a browser that has never been there. Cancels there with the
   * login `cancel`. Returns the query of the address to which it sends back.
   */
  async function visit(address: string, login: string): Promise<string> {
    const cookies = new Map<string, string>()
    const go = async (url: string, form?: Record<string, string>): Promise<string> => {
      const asked = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const cookie of asked.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      const location = asked.headers.get('location')
      if (location === null) throw new Error(`The provider answers ${asked.status} at ${url}.`)
      const next = new URL(location, url)
      if (next.origin === origin) return next.search
      if (!next.pathname.startsWith('/interaction/')) return go(next.href)
      return login === 'cancel'
        ? go(`${next.href}/abort`)
        : go(next.href, { prompt: 'login', login, password: 'any' })
    }
    return go(address)
  }

  return {
    issuer,
    people,
    fault,
    /** The methods and paths of all requests. */
    requests,
    visit,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
