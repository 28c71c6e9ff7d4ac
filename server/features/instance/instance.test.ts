import { expect, test, vi } from 'vitest'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { changeInstanceSettings, getInstance, getInstanceSettings } from '#contract/instance/endpoints.ts'
import { instanceDefaults } from '#contract/instance/settings.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { buildApp } from '#server/app.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf, withoutLog } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { instanceSettings } from './schema.ts'

const patience = { timeout: 20_000, interval: 20 }

/** Two admins. */
async function start(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp(options)
  return { ...t, boss: await t.admin(), chief: await t.admin() }
}

test('before the first change all settings are empty, and nothing is stored [INST-01]', async () => {
  const { boss, visitor, db } = await start({ config: { supportEmail: 'help@example.org' } })
  expect(await boss.does(getInstanceSettings)).toEqual({
    ...instanceDefaults,
    updatedAt: null,
    environment: { name: 'Z!mmer', supportEmail: 'help@example.org' },
  })
  expect(await visitor().does(getInstance)).toEqual({
    name: '',
    description: '',
    welcome: '',
    imprint: '',
    pages: ['privacy'],
  })
  expect(await db.$count(instanceSettings)).toBe(0)
})

test('a setting of an admin wins over the environment, and its removal brings that of the environment back [INST-01]', async () => {
  const { boss, visitor } = await start({
    config: { supportEmail: 'help@example.org', companyName: 'A Company' },
  })
  const shown = async () => {
    const { companyName, supportEmail } = await visitor().does(getConfig)
    return [companyName, supportEmail]
  }
  const set = { name: 'The Mill', supportEmail: 'mill@example.org' }
  const { updatedAt } = await boss.does(changeInstanceSettings, { input: { base: null, ...set } })
  await vi.waitFor(async () => expect(await shown()).toEqual(['The Mill', 'mill@example.org']), patience)
  const removed = { name: '', supportEmail: '' }
  await boss.does(changeInstanceSettings, { input: { base: updatedAt, ...removed } })
  await vi.waitFor(async () => expect(await shown()).toEqual(['A Company', 'help@example.org']), patience)
})

test('a change names some settings and leaves the others; the log names what was changed and holds no text [INST-01 S49]', async () => {
  const { boss, visitor, db } = await start()
  const { updatedAt: base } = await boss.does(changeInstanceSettings, {
    input: { base: null, name: 'The Mill', terms: 'Be kind.' },
  })
  // One of the two is as it was.
  const changed = await boss.does(changeInstanceSettings, {
    input: { base, terms: 'Be kind.', rules: 'Write.\r\nRead.' },
  })
  const settings = { ...instanceDefaults, name: 'The Mill', terms: 'Be kind.', rules: 'Write.\nRead.' }
  expect(changed).toMatchObject(settings)
  expect(await boss.does(getInstanceSettings)).toEqual(changed)
  await vi.waitFor(
    async () =>
      expect(await visitor().does(getInstance)).toEqual({
        name: 'The Mill',
        description: '',
        welcome: '',
        imprint: '',
        pages: ['terms', 'privacy', 'rules'],
      }),
    patience,
  )
  const entries = await boss.does(listAuditEntries, { query: { action: 'instance-changed' } })
  expect(entries.map(({ actorId, details }) => ({ actorId, details }))).toEqual([
    { actorId: boss.me.id, details: { changed: 'Rules' } },
    { actorId: boss.me.id, details: { changed: 'Name, Terms' } },
  ])
  expect(JSON.stringify((await contentOf(db))['audit_log'])).not.toContain('kind')
})

test('what is already so is not a change: nothing is stored or logged [INST-01]', async () => {
  const { boss, db } = await start()
  const first = await boss.does(changeInstanceSettings, { input: { base: null, name: 'The Mill' } })
  const before = await contentOf(db)
  const again = { base: first.updatedAt, name: 'The Mill', terms: '' }
  expect(await boss.does(changeInstanceSettings, { input: again })).toEqual(first)
  expect(await contentOf(db)).toEqual(before)
})

test('the second of two admins who started from the same settings is refused with what is stored now, also when they save at once [INST-01]', async () => {
  const { boss, chief, db } = await start()
  const first = await boss.does(changeInstanceSettings, { input: { base: null, name: 'The Mill' } })
  for (const base of [null, '2025-06-01T12:00:00.000Z', '9999-12-31T12:00:00.000Z']) {
    const before = await contentOf(db)
    const late = await chief.tries(changeInstanceSettings, { input: { base, terms: 'Late.' } })
    expect(late).toMatchObject({ status: 400, code: 'InstanceSettingsConflict', body: { current: first } })
    expect(withoutLog(await contentOf(db))).toEqual(withoutLog(before))
  }

  const names = ['Of the boss', 'Of the chief']
  const input = { base: first.updatedAt }
  // Both have read the settings before one of them saves.
  const both = await db.transaction(async (tx) => {
    await tx.select().from(instanceSettings).for('update')
    const started = [boss, chief].map((admin, n) =>
      admin.tries(changeInstanceSettings, { input: { ...input, name: names[n]! } }),
    )
    await untilLockWaits(db, 2)
    return { started }
  })
  const answers = await Promise.all(both.started)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const saved = names[answers.findIndex(({ status }) => status === 200)]
  expect(await boss.does(getInstanceSettings)).toMatchObject({ name: saved })
})

test('two first changes at once: one is saved, the other refused [INST-01]', async () => {
  const { boss, chief, db } = await start()
  const answers = await Promise.all(
    [boss, chief].map((admin) =>
      admin.tries(changeInstanceSettings, { input: { base: null, name: admin.me.id } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await db.$count(instanceSettings)).toBe(1)
})

test('two changes in one millisecond have different bases [INST-01]', async () => {
  const { boss } = await start()
  const seen = new Set<string | null>([null])
  let base: string | null = null
  for (const name of ['One', 'Two', 'Three']) {
    const saved: { updatedAt: string | null } = await boss.does(changeInstanceSettings, {
      input: { base, name },
    })
    seen.add((base = saved.updatedAt))
  }
  expect(seen.size).toBe(4)
})

test.for([
  ['name', 'x'.repeat(61)],
  ['name', 'two\nlines'],
  ['description', 'x'.repeat(301)],
  ['welcome', 'x'.repeat(1001)],
  ['supportEmail', 'no address'],
  ['supportEmail', 'a@example.org?bcc=b@example.org'],
  ['imprint', 'x'.repeat(2001)],
  ['terms', 'x'.repeat(20_001)],
  ['rules', 'a character that cannot be kept \0'],
  ['base', '2025-13-45T12:00:00.000Z'],
  ['base', undefined],
] as const)('a wrong %s is refused, and nothing changes: %j [INST-01]', async ([field, value]) => {
  const { boss, db } = await start()
  const before = await contentOf(db)
  const input = { base: null, description: 'Fine.', [field]: value }
  const answer = await boss.tries(changeInstanceSettings, { input })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { [field]: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)
})

test('the longest texts of four bytes a character are taken [INST-01]', async () => {
  const { boss } = await start()
  const page = '𝄞'.repeat(20_000)
  const input = { base: null, terms: page, privacy: page, rules: page }
  expect(await boss.does(changeInstanceSettings, { input })).toMatchObject({ rules: page })
})

test.for(['NOTIFY', 'Redis'] as const satisfies Messenger[])(
  'over %s every process has a change at once, without a query of a request [INST-01]',
  async (messenger, context) => {
    // No process reads by itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    const { admin, visitor, atOther } = await startTwoApps(messenger, context)
    vi.useRealTimers()
    const boss = await admin()
    const readers = [visitor(), atOther(visitor())]
    await boss.does(changeInstanceSettings, { input: { base: null, name: 'The Mill' } })
    await vi.waitFor(async () => {
      for (const reader of readers)
        expect(await reader.does(getConfig)).toMatchObject({ companyName: 'The Mill' })
    }, patience)
  },
)

test('a process that missed the message has the change after 2 s [INST-01]', async ({ onTestFinished }) => {
  const { config, db, clock, admin } = await startTestApp({ busFor: createLocalBus })
  // Its bus is connected with no other.
  const other = await buildApp({ config, database: db, clock, random: systemRandom })
  onTestFinished(() => other.close())
  const boss = await admin()
  const reader = new Client((options) => other.inject(options))
  await boss.does(changeInstanceSettings, { input: { base: null, name: 'The Mill' } })
  expect(await reader.does(getConfig)).toMatchObject({ companyName: 'Z!mmer' })
  await vi.waitFor(
    async () => expect(await reader.does(getConfig)).toMatchObject({ companyName: 'The Mill' }),
    { timeout: 2500, interval: 20 },
  )
})

test('settings that only a newer version knows stay stored [INST-01]', async () => {
  const { boss, db } = await start()
  const newer = { name: 'The Mill', ofANewerVersion: true }
  await db.insert(instanceSettings).values({ settings: newer, updatedAt: '2025-06-01T12:00:00.000Z' })
  const { updatedAt: base, ...answer } = await boss.does(getInstanceSettings)
  expect(answer).not.toHaveProperty('ofANewerVersion')
  await boss.does(changeInstanceSettings, { input: { base, name: 'The Barn' } })
  const [row] = await db.select().from(instanceSettings)
  expect(row!.settings).toEqual({ ...newer, name: 'The Barn' })
})
