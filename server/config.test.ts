import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

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

test.each([
  ['PORT', 'http'],
  ['APP_TIME_ZONE', 'Mars/Olympus'],
  ['APP_TIME_ZONE', '+02:00'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['REDIS_URL', 'localhost:6379'],
  ['PUBLIC_ORIGIN', 'https://example.org/path'],
  ['PREMIUM_PUBLISH', 'some'],
  ['DEMO_MODE', 'yes'],
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
