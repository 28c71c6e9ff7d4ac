import { createHmac } from 'node:crypto'
import type { Configuration, CustomFetch } from 'openid-client'
import { Email, Name } from '#contract/account/fields.ts'
import { openidPath } from '#contract/openid/path.ts'
import type { Settings } from '#server/config.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import type { Subject } from './queries.ts'

/** Whom the provider has identified. */
export interface Identity extends Subject {
  /** The address that the provider has verified. */
  email: string | undefined
  /** Empty for a name that nobody may have here. */
  name: string
}

type ProviderCode = 'OpenidUnavailable' | 'OpenidDenied' | 'OpenidAnswerRefused'

/** Why the provider has identified nobody. The cause is for the log. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly code: ProviderCode
  constructor(code: ProviderCode, cause: unknown) {
    super('The OpenID Connect provider has identified nobody.', { cause })
    this.code = code
  }
}

class Unreachable extends Error {
  override name = 'Unreachable'
}

/** The secrets of an attempt: only the browser with its cookie has the token. */
const derived = (use: 'state' | 'nonce' | 'verifier', token: string) =>
  createHmac('sha256', token).update(use).digest('base64url')

/** The provider may move an address, and is asked again. */
const describedForMs = 60 * 60_000

export type Provider = NonNullable<ReturnType<typeof createProvider>>

type ProviderSettings = Pick<
  Settings,
  'openidIssuer' | 'openidClientId' | 'openidClientSecret' | 'publicOrigin'
>

/**
 * The OpenID Connect provider of the settings. Its description is fetched when somebody first needs it, so the server starts
 * without the provider. The library is loaded then too, because most installations have no provider.
 */
export function createProvider(settings: ProviderSettings, callOutgoing: CallOutgoing, clock: Clock) {
  const { openidIssuer: issuer, openidClientId: clientId, openidClientSecret: secret } = settings
  if (issuer === undefined) return undefined
  const returnAddress = `${settings.publicOrigin}${openidPath}`
  let described: { untilMs: number; configuration: Promise<Configuration> } | undefined

  const fetchOutgoing: CustomFetch = async (url, { method, headers, body, signal }) => {
    const answer = await callOutgoing({
      url,
      method,
      headers,
      // Beside a form the library sends nothing.
      body: body instanceof URLSearchParams ? body.toString() : '',
      isHostOfOperator: new URL(url).host === new URL(issuer).host,
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw new Unreachable('There is no answer.', { cause: error })
    })
    const { status, headers: answered, isCut } = answer
    if (status >= 500) throw new Unreachable(`The answer has the status ${status}.`)
    if (isCut) throw new Error('The answer is longer than 64 KiB.')
    return new Response(new Uint8Array(answer.body), {
      status,
      headers: { 'content-type': answered['content-type'] ?? '' },
    })
  }

  async function discover() {
    const library = await import('openid-client')
    const { allowInsecureRequests, enableNonRepudiationChecks } = library
    const isPlain = issuer!.startsWith('http:')
    return library.discovery(new URL(issuer!), clientId!, undefined, library.ClientSecretBasic(secret), {
      [library.customFetch]: fetchOutgoing,
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    })
  }

  /** After a failure the next call tries again. */
  async function configuration() {
    const now = clock.monotonicMs()
    if (described === undefined || described.untilMs <= now)
      described = { untilMs: now + describedForMs, configuration: discover() }
    try {
      return await described.configuration
    } catch (error) {
      described = undefined
      throw error
    }
  }

  return {
    fetchDescription: () => asProviderError(async () => void (await configuration())),

    /** The address at the provider to which the browser of an attempt goes. */
    addressFor: (token: string) =>
      asProviderError(async () => {
        const library = await import('openid-client')
        return library.buildAuthorizationUrl(await configuration(), {
          redirect_uri: returnAddress,
          scope: 'openid email profile',
          state: derived('state', token),
          nonce: derived('nonce', token),
          code_challenge: await library.calculatePKCECodeChallenge(derived('verifier', token)),
          code_challenge_method: 'S256',
        }).href
      }),

    /** Verifies the answer to an attempt. `answer` is the query of the address to which the provider has sent the browser. */
    identify: (token: string, answer: string) =>
      asProviderError(async (): Promise<Identity> => {
        const library = await import('openid-client')
        const found = await configuration()
        const address = new URL(returnAddress)
        address.search = answer
        const tokens = await library.authorizationCodeGrant(found, address, {
          expectedState: derived('state', token),
          expectedNonce: derived('nonce', token),
          pkceCodeVerifier: derived('verifier', token),
          idTokenExpected: true,
        })
        const { iss, sub, ...inToken } = tokens.claims()!
        if (!/^[\x20-\x7e]{1,255}$/.test(sub))
          throw new Error('The subject is not 1 to 255 characters of ASCII.')
        const asksMore = inToken['email'] === undefined && found.serverMetadata().userinfo_endpoint
        const claims = asksMore ? await library.fetchUserInfo(found, tokens.access_token, sub) : inToken
        const email = Email.safeParse(claims['email'])
        return {
          issuer: iss,
          subject: sub,
          email: claims['email_verified'] === true ? email.data : undefined,
          name: Name.safeParse(claims['name']).data ?? '',
        }
      }),
  }
}

/** Runs the work, and throws each of its failures as a `ProviderError`. */
async function asProviderError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ProviderError(await codeOf(error), error)
  }
}

async function codeOf(error: unknown): Promise<ProviderCode> {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Unreachable) return 'OpenidUnavailable'
  const { AuthorizationResponseError } = await import('openid-client')
  return error instanceof AuthorizationResponseError ? 'OpenidDenied' : 'OpenidAnswerRefused'
}
