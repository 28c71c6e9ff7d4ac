import type { PlatformSettings } from '../settings.ts'

/** Where browsers report violations of the content security policy of the page. */
export const cspReportPath = '/api/csp-report'

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // The one policy of the page, in `web/lib/workers.ts`, knows the files of the workers.
  "require-trusted-types-for 'script'",
  'trusted-types zimmer',
  `report-uri ${cspReportPath}`,
].join('; ')

export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
}

type Settings = Pick<PlatformSettings, 'publicOrigin' | 'hstsSubdomains' | 'searchEngines'>

/** Of the TDM Reservation Protocol: the texts are not for the training of models. */
export const reservation = 'tdm-reservation'

/** The headers that every answer starts with, made once for each state of the switch. */
export class AnswerHeaders {
  readonly #refusing: Record<string, string>
  readonly #allowing: Record<string, string>
  #allowsTraining = () => false

  constructor(settings: Settings) {
    this.#refusing = answerHeaders(settings)
    this.#allowing = answerHeaders(settings, { allowsTraining: true })
  }

  /** Another object after the switch has changed. */
  get current(): Readonly<Record<string, string>> {
    return this.#allowsTraining() ? this.#allowing : this.#refusing
  }

  /** Asks for the switch at each answer. Until then crawlers that train models are refused. */
  follow(allowsTraining: () => boolean): void {
    this.#allowsTraining = allowsTraining
  }
}

/**
 * The headers of S38 that every answer starts with: those of a call of the API. With `SEARCH_ENGINES=off` every answer has
 * `X-Robots-Tag`, and so it has where crawlers that train models are refused. With https browsers use it for a year, and with `HSTS_SUBDOMAINS=on` for all hosts below this one too.
 */
export function answerHeaders(
  { publicOrigin, hstsSubdomains, searchEngines }: Settings,
  { allowsTraining = false } = {},
): Record<string, string> {
  const robots = [
    ...(searchEngines ? [] : ['noindex, nofollow']),
    ...(allowsTraining ? [] : ['noai, noimageai']),
  ]
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(robots.length > 0 && { 'x-robots-tag': robots.join(', ') }),
    ...(!allowsTraining && { [reservation]: '1' }),
    ...(publicOrigin?.startsWith('https:') && {
      'strict-transport-security': `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`,
    }),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  }
}
