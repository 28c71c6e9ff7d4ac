import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import * as z from 'zod/mini'
import { Email } from '#contract/account/fields.ts'
import { isBlank } from '#contract/text.ts'
import { faultOfAddress } from './platform/database/tls.ts'
import { Allowances } from './platform/http/bounds/allowances.ts'
import { isThisMachine } from './platform/http/request/origin.ts'
import { parseRelay } from './platform/mail/relay.ts'
import { OperatorError } from './platform/operator-error.ts'

/** A setting of the operator: an environment variable. */
interface Setting<Value> {
  variable: string
  /** For the table in docs/operations.md. */
  description: string
  schema: z.ZodMiniType<Value, string>
  /** The text that stands for a variable that is not set. */
  fallback: string | undefined
}

const required = <Value>(
  variable: string,
  fallback: string,
  schema: z.ZodMiniType<Value, string>,
  description: string,
): Setting<Value> => ({ variable, description, schema, fallback })

const optional = <Value>(
  variable: string,
  schema: z.ZodMiniType<Value, string>,
  description: string,
): Setting<Value | undefined> => ({ variable, description, schema, fallback: undefined })

const text = z.string()
const matching = (pattern: RegExp, message: string) => text.check(z.regex(pattern, message))
const checked = (isRight: (value: string) => boolean, message: string) =>
  text.check(z.refine(isRight, message))
const oneOf = <const Word extends string>(...words: Word[]) => z.enum(words, `one of ${words.join(', ')}`)
/** One of two words; the first one is true. */
const either = (yes: string, no: string) =>
  z.pipe(
    oneOf(yes, no),
    z.transform((word) => word === yes),
  )
const onOff = either('on', 'off')
const wholeNumber = (from: number, to: number) =>
  z.pipe(
    checked(
      (value) => /^\d{1,5}$/.test(value) && Number(value) >= from && Number(value) <= to,
      `a whole number from ${from} to ${to}`,
    ),
    z.transform(Number),
  )
const origin = z.pipe(
  checked(
    (value) => /^https?:\/\/[^/?#@]+\/?$/.test(value) && leadsToHost(value),
    'an origin such as https://example.org',
  ),
  z.transform((value) => new URL(value).origin),
)
const postgresAddress = (example: string) =>
  matching(/^postgres(ql)?:\/\//, `an address such as ${example}`).check(({ value, issues }) => {
    const message = faultOfAddress(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  })
/** A part of a header. */
const visible = matching(/^[!-~]{1,200}$/, 'visible characters without blanks')
const timeZone = checked(isTimeZone, 'a time zone such as Europe/Berlin')
const diaryKey = matching(/^[0-9a-f]{64}$/i, '64 hexadecimal digits')
const httpsAddress = checked(
  (value) => value.startsWith('https://') && leadsToHost(value),
  'an https address',
)
/** An https address, or an http address of this machine. */
const hubAddress = checked((value) => {
  const { protocol, hostname } = URL.parse(value) ?? {}
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname ?? ''))
  return isAllowed && leadsToHost(value)
}, 'an https address')
/** As `hubAddress`, without a path. */
const serviceOrigin = z.pipe(
  hubAddress.check(z.regex(/^https?:\/\/[^/?#@]+\/?$/, 'an https address without a path')),
  z.transform((value) => new URL(value).origin),
)
const proxies = checked(
  (value) => value.split(',').every((part) => isProxy(part.trim())),
  'addresses or networks such as 10.0.0.7 or 10.0.0.0/8, separated by commas',
)
const relay = z.pipe(
  checked((value) => parseRelay(value) !== undefined, 'an address such as smtp://user:password@host:587'),
  z.transform((value) => parseRelay(value)!),
)
const emailAddress = checked((value) => Email.safeParse(value).success, 'an email address')
const instant = checked((value) => !Number.isNaN(Date.parse(value)), 'an instant')

/** Every setting by the name that it has in the code. */
export const settings = {
  port: required('PORT', '3000', wholeNumber(0, 65_535), 'the port of the server'),
  host: required('HOST', '127.0.0.1', text, 'the address that the server listens on'),
  dataDir: required('DATA_DIR', './data', text, 'the folder of database, uploads and backups'),
  databaseUrl: optional(
    'DATABASE_URL',
    postgresAddress('postgres://user@host/name'),
    'a Postgres server (15 or newer) instead of the embedded one; on another machine only with verified TLS',
  ),
  databasePoolUrl: optional(
    'DATABASE_POOL_URL',
    postgresAddress('postgres://user@host:6432/name'),
    'PgBouncer in transaction mode before that server, for all but locks, `LISTEN`, migrations and backups (decision 21)',
  ),
  redisUrl: optional(
    'REDIS_URL',
    checked(
      (value) => /^rediss?:\/\//.test(value) && URL.canParse(value),
      'an address such as redis://host:6379',
    ),
    'one Redis server carries the messages between several processes and counts their limits; without it the database and each process do; `rediss://` is verified TLS, `redis://` is unencrypted',
  ),
  publicOrigin: optional(
    'PUBLIC_ORIGIN',
    origin,
    'the origin that people type, such as `https://example.org`; https makes cookies secure',
  ),
  trustProxy: optional(
    'TRUST_PROXY',
    proxies,
    'addresses or networks of proxies whose forwarded headers count, separated by commas; without it all people behind a proxy share one limit',
  ),
  timeZone: optional(
    'APP_TIME_ZONE',
    timeZone,
    'bounds the days of the feed; the zone that is stored with the data when left out',
  ),
  adminEmail: optional('ADMIN_EMAIL', emailAddress, 'the first admin'),
  adminPassword: optional(
    'ADMIN_PASSWORD',
    text.check(z.minLength(12, 'at least 12 characters')),
    'the password of the first admin, at least 12 characters',
  ),
  passwordMinLength: required(
    'PASSWORD_MIN_LENGTH',
    '6',
    wholeNumber(6, 99),
    'of every new password, and of that of an admin at each sign-in',
  ),
  refusesCommonPasswords: required(
    'COMMON_PASSWORDS',
    'allowed',
    either('refused', 'allowed'),
    '`refused` or `allowed`; admins never have one',
  ),
  premiumPublish: required(
    'PREMIUM_PUBLISH',
    'registered',
    oneOf('registered', 'everyone', 'nobody'),
    'who publishes without review: `registered`, `everyone` or `nobody`',
  ),
  demoMode: required('DEMO_MODE', 'off', onOff, '`on` opens the public demo account'),
  diaryKey: optional(
    'DIARY_KEY',
    diaryKey,
    '64 hexadecimal digits that encrypt diary, calendar, drafts and messages',
  ),
  newDiaryKey: optional(
    'DIARY_KEY_NEW',
    diaryKey,
    'the key that `npm run zimmer -- diary-key` changes `DIARY_KEY` to',
  ),
  supportEmail: required(
    'SUPPORT_EMAIL',
    'support@zimmer.example',
    matching(/^[^\s@?&]+@[^\s@?&]+$/, 'an email address'),
    'shown on the pages, until an admin sets a contact of the instance',
  ),
  companyName: required(
    'COMPANY_NAME',
    'Z!mmer',
    text.check(z.maxLength(100, 'at most 100 characters')),
    'shown on the pages, until an admin sets a name of the instance',
  ),
  submissionPortal: required(
    'SUBMISSION_PORTAL',
    'https://submissions.zimmer.example/',
    httpsAddress,
    'the https address of the link for submissions',
  ),
  searchEngines: required(
    'SEARCH_ENGINES',
    'on',
    onOff,
    '`off` asks search engines to list no page of this instance',
  ),
  hstsSubdomains: required(
    'HSTS_SUBDOMAINS',
    'off',
    onOff,
    '`on` asks browsers to use https for a year on every host below that of `PUBLIC_ORIGIN` too',
  ),
  webSubHub: optional(
    'WEBSUB_HUB',
    hubAddress,
    'the https address of a WebSub hub, which is notified of new posts and stories; nothing is sent without it',
  ),
  openidIssuer: optional(
    'OIDC_ISSUER',
    hubAddress,
    'the https address of an OpenID Connect provider, by which people sign in too; needs the three settings below and `PUBLIC_ORIGIN`',
  ),
  openidClientId: optional('OIDC_CLIENT_ID', text, 'the id of this installation at that provider'),
  openidClientSecret: optional(
    'OIDC_CLIENT_SECRET',
    text,
    'the secret of this installation at that provider',
  ),
  openidName: optional(
    'OIDC_NAME',
    text.check(z.maxLength(40, 'at most 40 characters')),
    'the name of that provider on the pages, as in "Continue with The Library"',
  ),
  relay: optional(
    'SMTP_URL',
    relay,
    'the mail server of this instance, such as `smtp://user:password@mail.example.org` (STARTTLS) or `smtps://…` (TLS); needs `MAIL_FROM` and `PUBLIC_ORIGIN`; nothing is mailed without it',
  ),
  mailFrom: optional('MAIL_FROM', emailAddress, 'the address from which mails are sent'),
  mailBounceSecret: optional(
    'MAIL_BOUNCE_SECRET',
    matching(/^[\w-]{32,100}$/, '32 to 100 letters, digits, - and _'),
    'the end of the address `/api/mail-bounces/…` at which the mail server reports mails that came back, 32 to 100 letters, digits, `-` and `_`; needs `SMTP_URL`',
  ),
  uploadsEndpoint: optional(
    'UPLOADS_S3_ENDPOINT',
    serviceOrigin,
    'the https address of an S3 service that stores the uploads instead of `DATA_DIR`; needs the bucket and the two keys below',
  ),
  uploadsBucket: optional(
    'UPLOADS_S3_BUCKET',
    matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'the name of a bucket'),
    'the bucket at that service, for this installation alone',
  ),
  uploadsRegion: required(
    'UPLOADS_S3_REGION',
    'us-east-1',
    matching(/^[\w-]{1,64}$/, 'a region such as eu-central-1'),
    'the region of the bucket',
  ),
  uploadsAccessKeyId: optional('UPLOADS_S3_ACCESS_KEY_ID', visible, 'the id of the key for that bucket'),
  uploadsSecretKey: optional('UPLOADS_S3_SECRET_ACCESS_KEY', visible, 'the secret of that key'),
  limitsRates: required('RATE_LIMITS', 'on', onOff, '`off` for a load test'),
  registrationAllowances: optional(
    'REGISTRATION_ALLOWANCE',
    Allowances,
    'more registrations and sign-ins for each address of a network until an instant, as for a class: `192.0.2.0/24 60 2026-12-31T18:00Z`, several separated by commas',
  ),
  metricsToken: optional(
    'METRICS_TOKEN',
    // A header with the token has no blanks at its ends.
    text.check(z.trim(), z.minLength(16, 'at least 16 characters')),
    'the token that reads `/metrics`, at least 16 characters; without it only the machine itself reads them',
  ),
  logLevel: required(
    'LOG_LEVEL',
    'info',
    oneOf('silent', 'error', 'warn', 'info', 'debug'),
    '`silent`, `error`, `warn`, `info` or `debug`',
  ),
  logFormat: required(
    'LOG_FORMAT',
    'auto',
    oneOf('auto', 'sentences', 'json'),
    'the log on standard output: `sentences` for people, `json` for one JSON object a line, or `auto`: sentences on a terminal, JSON elsewhere',
  ),
  testClock: optional(
    'TEST_CLOCK',
    instant,
    'the instant at which the clock starts, with `NODE_ENV=test` alone',
  ),
}

type ValueOf<S> = S extends Setting<infer Value> ? Value : never

export type Settings = { [Name in keyof typeof settings]: ValueOf<(typeof settings)[Name]> }

/** The settings of a running server, whose time zone is known. */
export type Config = Settings & { timeZone: string }

/** Reads the settings of the environment; an empty variable counts as not set. */
export function readConfig(environment: Record<string, string | undefined>): Settings {
  const values = Object.entries(settings).map(([name, setting]) => [name, valueOf(setting, environment)])
  const config = Object.fromEntries(values) as Settings
  if (config.testClock !== undefined && environment.NODE_ENV !== 'test')
    throw new OperatorError('TEST_CLOCK is accepted only with NODE_ENV=test.')
  if (config.databasePoolUrl !== undefined && config.databaseUrl === undefined)
    throw new OperatorError('DATABASE_POOL_URL needs DATABASE_URL, which reaches the same database directly.')
  if (config.databasePoolUrl !== undefined && config.testClock !== undefined)
    throw new OperatorError('TEST_CLOCK cannot be used with DATABASE_POOL_URL.')
  if ((config.relay === undefined) !== (config.mailFrom === undefined))
    throw new OperatorError('SMTP_URL and MAIL_FROM are set together or not at all.')
  if (config.relay !== undefined && config.publicOrigin === undefined)
    throw new OperatorError('SMTP_URL needs PUBLIC_ORIGIN, to which the links of mails lead.')
  if (config.mailBounceSecret !== undefined && config.relay === undefined)
    throw new OperatorError('MAIL_BOUNCE_SECRET needs SMTP_URL, by which mails are sent.')
  const { openidIssuer, openidClientId, openidClientSecret, openidName } = config
  const ofOpenid = [openidIssuer, openidClientId, openidClientSecret, openidName]
  if (ofOpenid.includes(undefined) && ofOpenid.some((value) => value !== undefined))
    throw new OperatorError(
      'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_NAME are set together or not at all.',
    )
  if (openidIssuer !== undefined && config.publicOrigin === undefined)
    throw new OperatorError('OIDC_ISSUER needs PUBLIC_ORIGIN, to which the provider sends people back.')
  if (openidIssuer?.startsWith('http:') && environment.NODE_ENV !== 'test')
    throw new OperatorError('OIDC_ISSUER is an https address: http is accepted only with NODE_ENV=test.')
  const { uploadsEndpoint, uploadsBucket, uploadsAccessKeyId, uploadsSecretKey } = config
  const ofUploads = [uploadsEndpoint, uploadsBucket, uploadsAccessKeyId, uploadsSecretKey]
  if (ofUploads.includes(undefined) && ofUploads.some((value) => value !== undefined))
    throw new OperatorError(
      'UPLOADS_S3_ENDPOINT, UPLOADS_S3_BUCKET, UPLOADS_S3_ACCESS_KEY_ID and UPLOADS_S3_SECRET_ACCESS_KEY are set together or not at all.',
    )
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined))
    throw new OperatorError('ADMIN_EMAIL and ADMIN_PASSWORD are set together or not at all.')
  return config
}

function valueOf(
  { variable, schema, fallback }: Setting<unknown>,
  environment: Record<string, string | undefined>,
): unknown {
  const given = environment[variable] || fallback
  if (given === undefined) return undefined
  if (isBlank(given)) throw new OperatorError(`The setting ${variable} is not usable: it consists of blanks.`)
  const parsed = z.safeParse(schema, given)
  if (parsed.success) return parsed.data
  throw new OperatorError(`The setting ${variable} is not usable: ${parsed.error.issues[0]?.message}.`)
}

/** Whether the host of an address is a host name or an IP address. `URL` takes other signs too, or leaves them out. */
function leadsToHost(address: string) {
  const host = URL.parse(address)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
  return /^\w+:\/\/[^/?#\\%\s]+(?:[/?#]|$)/.test(address) && (isIP(host) !== 0 || hostName.test(host))
}

// Names of local networks may have an underscore.
const hostName =
  /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)*$/

/** An address or a network. The library also takes a number, which would mean an address such as 0.0.0.1. */
function isProxy(text: string) {
  try {
    return isIP(text.split('/')[0]!) !== 0 && proxyAddr.compile(text) !== undefined
  } catch {
    return false
  }
}

export function isTimeZone(name: string) {
  try {
    // An offset such as +02:00 means opposite things here and to Postgres.
    return !/^[+-]/.test(name) && Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
