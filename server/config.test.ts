import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settings } from './config.ts'

test('everything but secrets has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: './data',
    supportEmail: 'support@zimmer.example',
    companyName: 'Z!mmer',
    premiumPublish: 'registered',
    demoMode: false,
    limitsRates: true,
  })
})

test('an operator finds every setting in the manual with its default and its meaning', () => {
  const manual = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [, table = ''] = /^### Settings$[^|]*((?:^\|.*\n)+)/m.exec(manual) ?? []
  const rows = table.trim().split('\n').slice(2)
  const described = Object.values(settings).map(
    ({ variable, fallback = '', description }) => `| \`${variable}\` | ${fallback} | ${description} |`,
  )
  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(
    described.map((row) => row.replaceAll(/ +/g, ' ')),
  )
})

test.each([
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PASSWORD_MIN_LENGTH', '5'],
  ['COMMON_PASSWORDS', 'on'],
  ['LOG_LEVEL', 'loud'],
  ['APP_TIME_ZONE', 'Mars/Olympus'],
  ['APP_TIME_ZONE', '+02:00'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['DATABASE_URL', 'postgres://ana@db.example.org:port/zimmer'],
  ['DATABASE_URL', 'postgres://db.example.org/zimmer?sslrootcert=/nowhere/root.pem'],
  ['DATABASE_POOL_URL', 'postgres://db.example.org/zimmer?sslrootcert=/nowhere/root.pem'],
  ['REDIS_URL', 'localhost:6379'],
  ['PUBLIC_ORIGIN', 'https://example.org/path'],
  ['PREMIUM_PUBLISH', 'some'],
  ['DEMO_MODE', 'yes'],
  ['SEARCH_ENGINES', 'no'],
  ['WEBSUB_HUB', 'hub.example'],
  ['WEBSUB_HUB', 'http://hub.example/'],
  ['WEBSUB_HUB', 'http://127.0.0.1.evil.example/'],
  ['WEBSUB_HUB', 'ftp://localhost/'],
  ['DIARY_KEY', 'secret'],
  ['DIARY_KEY', 'g'.repeat(64)],
  ['DIARY_KEY_NEW', 'a'.repeat(63)],
  ['SUBMISSION_PORTAL', 'http://example.org'],
  ['ADMIN_PASSWORD', 'short'],
  ['METRICS_TOKEN', 'short'],
])('a wrong %s is refused with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`The setting ${name} is not usable`)
})

test('the test clock is for tests alone, and an admin has both settings', () => {
  expect(() => readConfig({ TEST_CLOCK: '2025-06-10T12:00:00Z' })).toThrow('NODE_ENV=test')
  expect(() => readConfig({ ADMIN_EMAIL: 'a@example.org' })).toThrow('together')
})

test('an operator who names PgBouncer also names the database behind it, and uses no test clock', () => {
  const pool = { DATABASE_POOL_URL: 'postgres://zimmer@localhost:6432/zimmer' }
  expect(() => readConfig(pool)).toThrow('needs DATABASE_URL')
  const both = { ...pool, DATABASE_URL: 'postgres://zimmer@localhost/zimmer' }
  expect(readConfig(both).databasePoolUrl).toBe(pool.DATABASE_POOL_URL)
  const tested = { ...both, NODE_ENV: 'test', TEST_CLOCK: '2025-06-10T12:00:00Z' }
  expect(() => readConfig(tested)).toThrow('TEST_CLOCK cannot be used')
})
