import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { register, registerByOnboarding } from '#contract/account/endpoints.ts'
import { changeInstanceSettings, getInstance, getInstancePage } from '#contract/instance/endpoints.ts'
import type { InstanceSettings } from '#contract/instance/settings.ts'
import { users } from '#server/features/account/index.ts'
import { contentOf } from '#server/testing/content.ts'
import { dataIn, makePageFolder } from '#server/testing/page-folder.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const publicOrigin = 'https://zimmer.example'
const mill = { name: 'The Mill & Co', description: 'Writers by the <river>.' }
const pages = ['/', '/dashboard', '/about', '/diary', '/nothing', '/manifest.webmanifest', '/sitemap.xml']
const feeds = ['/feed.atom', '/feed.rss', '/feed.json', '/stories/feed.json']

/** An admin, and a page that is built with a manifest. */
async function start(options: Parameters<typeof startTestApp>[0] = {}) {
  const pageFolder = makePageFolder()
  const manifest = readFileSync(join(import.meta.dirname, '../../../web/public/manifest.webmanifest'))
  writeFileSync(join(pageFolder, 'manifest.webmanifest'), manifest)
  const t = await startTestApp({ pageFolder, ...options, config: { publicOrigin, ...options.config } })
  const boss = await t.admin()
  let base: string | null = null
  return {
    ...t,
    boss,
    set: async (changes: Partial<InstanceSettings>) => {
      const input = { base, ...changes }
      const saved: { updatedAt: string | null } = await boss.does(changeInstanceSettings, { input })
      base = saved.updatedAt
    },
    bodyAt: async (url: string) => (await t.request({ url })).body,
    statusAt: async (url: string) => (await t.request({ url })).statusCode,
  }
}

test('with nothing set, and when all was removed again, no page or feed mentions the instance [INST-01]', async () => {
  const { set, bodyAt } = await start()
  const all = async () => Promise.all([...pages, ...feeds].map(bodyAt))
  const before = await all()
  expect(dataIn(before[0]!).answers['/api/config']).not.toHaveProperty('instance')
  expect(Object.keys(dataIn(before[2]!).answers)).toEqual(['/api/config'])
  const texts = { ...mill, welcome: 'Come in.', imprint: 'Us.', terms: 'A', privacy: 'B', rules: 'C' }
  await set(texts)
  const shown = await all()
  for (const [n, body] of shown.entries()) expect(body).not.toBe(before[n])
  await set(Object.fromEntries(Object.keys(texts).map((name) => [name, ''])))
  expect(await all()).toEqual(before)
})

test('the name and the description stand in previews, feeds and the manifest, and the title stays Z!mmer [INST-01 S38]', async () => {
  const { set, bodyAt } = await start()
  // In the cache before the change.
  await Promise.all([...pages, ...feeds].map(bodyAt))
  await set(mill)
  const home = await bodyAt('/')
  expect(home).toContain('<title>Z!mmer</title>')
  expect(home).toContain('<meta property="og:site_name" content="The Mill &amp; Co" />')
  expect(home).toContain('<meta property="og:title" content="The Mill &amp; Co" />')
  expect(home).toContain('<meta name="description" content="Writers by the &lt;river&gt;." />')
  expect(home).not.toContain('<river>')
  const about = await bodyAt('/about')
  expect(about).toContain('<title>About · Z!mmer</title>')
  expect(about).toContain('<meta property="og:title" content="About" />')
  expect(JSON.parse(await bodyAt('/feed.json'))).toMatchObject({
    title: 'The Mill & Co',
    description: 'The newest posts on The Mill & Co.',
  })
  expect(await bodyAt('/feed.atom')).toContain('<title>The Mill &amp; Co</title>')
  expect(JSON.parse(await bodyAt('/stories/feed.json'))).toMatchObject({
    title: 'Finished stories · The Mill & Co',
  })
  expect(JSON.parse(await bodyAt('/manifest.webmanifest'))).toMatchObject({
    name: 'The Mill & Co',
    short_name: 'The Mill & Co',
    description: 'Writers by the <river>.',
    start_url: '/',
  })
})

test('terms, privacy and rules are pages of their own while they have a text, also for search engines [INST-01 PUB-08]', async () => {
  const { set, bodyAt, statusAt, visitor } = await start()
  const paths = ['/terms', '/privacy', '/rules']
  const statuses = () => Promise.all(paths.map(statusAt))
  expect(await statuses()).toEqual([404, 200, 404])
  expect(await bodyAt('/terms')).toBe(await bodyAt('/nothing'))

  const rules = '# Be kind\n\nTo <everybody>.'
  await set({ rules, privacy: 'Yours.' })
  expect(await statuses()).toEqual([404, 200, 200])
  const page = await bodyAt('/rules')
  expect(page).toContain('<title>Rules · Z!mmer</title>')
  expect(page).toContain('<meta name="description" content="Be kind To &lt;everybody&gt;." />')
  expect(page).toContain(`<link rel="canonical" href="${publicOrigin}/rules" />`)
  expect(page).toContain('rendered /rules')
  const { answers, title } = dataIn(page)
  expect(title).toBe('Rules')
  expect(answers['/api/instance/rules']).toEqual({ content: rules })
  expect(answers['/api/config']).toMatchObject({ instance: { pages: ['privacy', 'rules'] } })
  const sitemap = await bodyAt('/sitemap.xml')
  expect(paths.map((path) => sitemap.includes(`<loc>${publicOrigin}${path}</loc>`))).toEqual([
    false,
    true,
    true,
  ])
  expect(await visitor().does(getInstancePage, { params: { page: 'rules' } })).toEqual({ content: rules })
  expect(await visitor().does(getInstance)).toMatchObject({ pages: ['privacy', 'rules'] })

  await set({ rules: '' })
  expect(await statuses()).toEqual([404, 200, 404])
})

test('the first page and the page About have what they show of the instance, and other pages do not [INST-01]', async () => {
  const { set, bodyAt } = await start()
  await set({ welcome: 'Come in.', imprint: 'The Mill, 1 River Lane' })
  const answersAt = async (url: string) => dataIn(await bodyAt(url)).answers['/api/instance']
  for (const url of ['/', '/about'])
    expect(await answersAt(url)).toMatchObject({ welcome: 'Come in.', imprint: 'The Mill, 1 River Lane' })
  for (const url of ['/dashboard', '/diary']) expect(await answersAt(url)).toBeUndefined()
})

const ana = { email: 'ana@example.org', password: 'lamps and ink', firstName: 'Ana', lastName: 'Lima' }
const onboarding = {
  name: 'Ana Lima',
  email: 'lima@example.org',
  passcode: 'lampsandink1',
  writingSample: 'I write at night.',
}

test('where the instance has terms or rules, nobody signs up without agreeing, and the date is stored with the account [INST-01]', async () => {
  const { set, visitor, db, clock } = await start()
  const agreedAtOf = async (firstName: string) => {
    const [found] = await db.select().from(users).where(eq(users.firstName, firstName))
    return found!.agreedAt
  }
  for (const changes of [{ terms: 'Be kind.' }, { terms: '', rules: 'Write.' }]) {
    await set(changes)
    const before = await contentOf(db)
    for (const agrees of [undefined, false]) {
      const agreement = agrees === undefined ? {} : { agrees }
      for (const attempt of [
        visitor().tries(register, { input: { ...ana, ...agreement } }),
        visitor().tries(registerByOnboarding, { input: { ...onboarding, ...agreement } }),
      ])
        expect(await attempt).toMatchObject({ status: 400, code: 'AgreementRequired' })
    }
    expect(await contentOf(db)).toEqual(before)
  }
  await visitor().does(register, { input: { ...ana, firstName: 'Ina', agrees: true } })
  const { user } = await visitor().does(registerByOnboarding, { input: { ...onboarding, agrees: true } })
  expect(user).not.toHaveProperty('agreedAt')
  const now = clock.now().toISOString()
  for (const name of ['Ina', 'Ana']) {
    const at = await agreedAtOf(name)
    expect(Math.abs(Date.parse(at!) - Date.parse(now))).toBeLessThan(60_000)
  }
})

test('where the instance has neither, people sign up as before, and no date is stored [INST-01]', async () => {
  const { set, visitor, db } = await start()
  await set({ privacy: 'Yours.' })
  await visitor().does(register, { input: { ...ana, agrees: true } })
  await visitor().does(registerByOnboarding, { input: onboarding })
  const stored = await db.select({ agreedAt: users.agreedAt }).from(users)
  expect(stored.every(({ agreedAt }) => agreedAt === null)).toBe(true)
})
