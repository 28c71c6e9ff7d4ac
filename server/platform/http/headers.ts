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

/**
 * The headers of S38 that every answer starts with: those of a call of the API. With `SEARCH_ENGINES=off` every answer has
 * `X-Robots-Tag`. With https browsers use it for a year, and with `HSTS_SUBDOMAINS=on` for all hosts below this one too.
 */
export function answerHeaders({
  publicOrigin,
  hstsSubdomains,
  searchEngines,
}: Pick<PlatformSettings, 'publicOrigin' | 'hstsSubdomains' | 'searchEngines'>): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(!searchEngines && { 'x-robots-tag': 'noindex, nofollow' }),
    ...(publicOrigin?.startsWith('https:') && {
      'strict-transport-security': `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`,
    }),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  }
}
