import * as z from 'zod/mini'

const onOff = (fallback: 'on' | 'off') =>
  z.pipe(
    z._default(z.enum(['on', 'off']), fallback),
    z.transform((v) => v === 'on'),
  )
const origin = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => /^https?:\/\/[^/]+\/?$/.test(text) && URL.canParse(text),
        'an origin such as https://example.org',
      ),
    ),
  z.transform((text) => new URL(text).origin),
)
const timeZone = z.string().check(z.refine(isTimeZone, 'a time zone such as Europe/Berlin'))
const diaryKey = z.string().check(z.regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits'))
const httpsAddress = z
  .string()
  .check(z.refine((text) => text.startsWith('https://') && URL.canParse(text), 'an https address'))

const Environment = z.object({
  NODE_ENV: z._default(z.string(), 'production'),
  PORT: z.pipe(z._default(z.string().check(z.regex(/^\d{1,5}$/)), '3000'), z.transform(Number)),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  DATABASE_URL: z.optional(
    z.string().check(z.regex(/^postgres(ql)?:\/\//, 'an address such as postgres://user@host/name')),
  ),
  /** The messenger between several processes. */
  REDIS_URL: z.optional(z.string().check(z.regex(/^rediss?:\/\//, 'an address such as redis://host:6379'))),
  PUBLIC_ORIGIN: z.optional(origin),
  /** Addresses or networks of the proxies whose forwarded headers count, separated by commas. */
  TRUST_PROXY: z.optional(z.string().check(z.minLength(1))),
  APP_TIME_ZONE: z.optional(timeZone),
  ADMIN_EMAIL: z.optional(z.string()),
  ADMIN_PASSWORD: z.optional(z.string().check(z.minLength(12, 'at least 12 characters'))),
  /** Seals diary and calendar. */
  DIARY_KEY: z.optional(diaryKey),
  /** What `npm run zimmer -- diary-key` changes it to. */
  DIARY_KEY_NEW: z.optional(diaryKey),
  DEMO_MODE: onOff('off'),
  SUPPORT_EMAIL: z._default(z.string().check(z.regex(/^[^\s@?&]+@[^\s@?&]+$/)), 'support@zimmer.example'),
  COMPANY_NAME: z._default(z.string().check(z.minLength(1), z.maxLength(100)), 'Z!mmer'),
  SUBMISSION_PORTAL: z._default(httpsAddress, 'https://submissions.zimmer.example/'),
  PREMIUM_PUBLISH: z._default(z.enum(['registered', 'everyone', 'nobody']), 'registered'),
  PASSWORD_MIN_LENGTH: z.pipe(
    z._default(
      z.string().check(
        z.regex(/^\d{1,2}$/),
        z.refine((text) => Number(text) >= 6, 'at least 6'),
      ),
      '6',
    ),
    z.transform(Number),
  ),
  COMMON_PASSWORDS: z._default(z.enum(['allowed', 'refused']), 'allowed'),
  RATE_LIMITS: onOff('on'),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'at least 16 characters'))),
  LOG_LEVEL: z._default(z.enum(['silent', 'error', 'warn', 'info', 'debug']), 'info'),
  TEST_CLOCK: z.optional(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'an instant'))),
})

/** The settings of a running server, whose time zone is settled. */
export type Config = Settings & { timeZone: string }

export interface Settings {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  publicOrigin: string | undefined
  trustProxy: string | undefined
  /** Left out, the zone is the one that is stored with the data. */
  timeZone: string | undefined
  adminEmail: string | undefined
  adminPassword: string | undefined
  diaryKey: string | undefined
  newDiaryKey: string | undefined
  demoMode: boolean
  supportEmail: string
  companyName: string
  submissionPortal: string
  premiumPublish: 'registered' | 'everyone' | 'nobody'
  passwordMinLength: number
  refusesCommonPasswords: boolean
  limitsRates: boolean
  metricsToken: string | undefined
  logLevel: string
  testClock: string | undefined
}

export class ConfigError extends Error {}

/** Reads the settings of the environment; a wrong one is refused with a sentence that names it. */
export function readConfig(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = z.safeParse(Environment, given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ConfigError(`The setting ${String(issue?.path[0])} is not usable: ${issue?.message}.`)
  }
  const env = parsed.data
  if (env.TEST_CLOCK && env.NODE_ENV !== 'test')
    throw new ConfigError('TEST_CLOCK is accepted only with NODE_ENV=test.')
  if ((env.ADMIN_EMAIL === undefined) !== (env.ADMIN_PASSWORD === undefined)) {
    throw new ConfigError('ADMIN_EMAIL and ADMIN_PASSWORD are set together or not at all.')
  }
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    publicOrigin: env.PUBLIC_ORIGIN,
    trustProxy: env.TRUST_PROXY,
    timeZone: env.APP_TIME_ZONE,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    diaryKey: env.DIARY_KEY,
    newDiaryKey: env.DIARY_KEY_NEW,
    demoMode: env.DEMO_MODE,
    supportEmail: env.SUPPORT_EMAIL,
    companyName: env.COMPANY_NAME,
    submissionPortal: env.SUBMISSION_PORTAL,
    premiumPublish: env.PREMIUM_PUBLISH,
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
    refusesCommonPasswords: env.COMMON_PASSWORDS === 'refused',
    limitsRates: env.RATE_LIMITS,
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL,
    testClock: env.TEST_CLOCK,
  }
}

export function isTimeZone(text: string) {
  try {
    // An offset such as +02:00 means opposite things here and to Postgres.
    return !/^[+-]/.test(text) && Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}
