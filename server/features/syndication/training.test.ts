import { expect, test, vi } from 'vitest'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { settingsBy } from '#server/testing/instance-settings.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { makePageFolder } from '#server/testing/page-folder.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import trainingCrawlers from './training-crawlers.json' with { type: 'json' }

const refused = ['noai, noimageai', '1']
const allowed = [undefined, undefined]

async function start(config: object = {}) {
  const t = await startTestApp({ pageFolder: makePageFolder(), config })
  const boss = await t.admin()
  const headersOf = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await t.request({ url, headers })
    return [answer.headers['x-robots-tag'], answer.headers['tdm-reservation']]
  }
  const bodyAt = async (url: string) => (await t.request({ url })).body
  return { ...t, boss, set: settingsBy(boss, t), headersOf, bodyAt }
}

/** The groups of a robots.txt: who is named, and what is disallowed. */
const groupsOf = (robots: string) =>
  robots
    .split('\n\n')
    .filter((part) => part.startsWith('User-agent'))
    .map((part) => ({
      agents: [...part.matchAll(/^User-agent: (.+)$/gm)].map(([, name]) => name),
      rules: [...part.matchAll(/^Disallow: (.+)$/gm)].map(([, path]) => path),
    }))

test('crawlers that train models are refused by robots.txt unless an admin switches them on, and no search engine or preview is [INST-07]', async () => {
  const { set, bodyAt, boss } = await start()
  const forAll = { agents: ['*'], rules: ['/api/'] }
  expect(groupsOf(await bodyAt('/robots.txt'))).toEqual([
    forAll,
    { agents: [...trainingCrawlers], rules: ['/'] },
  ])
  const names = trainingCrawlers.map((name) => name.toLowerCase())
  for (const name of ['GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended', 'Applebot-Extended', 'Bytespider'])
    expect(names).toContain(name.toLowerCase())
  for (const name of ['Amazonbot', 'Meta-ExternalAgent']) expect(names).toContain(name.toLowerCase())
  for (const other of [
    'Googlebot',
    'Bingbot',
    'Applebot',
    'DuckDuckBot',
    'facebookexternalhit',
    'Twitterbot',
  ])
    expect(names).not.toContain(other.toLowerCase())
  await set({ modelTraining: true })
  expect(groupsOf(await bodyAt('/robots.txt'))).toEqual([forAll])
  const [entry] = await boss.does(listAuditEntries, { query: { action: 'instance-changed' } })
  expect(entry!.details).toEqual({ changed: 'Name, Crawlers that train models on' })
  await set({ modelTraining: false })
  expect(groupsOf(await bodyAt('/robots.txt'))).toHaveLength(2)
})

test('each name of a crawler can stand in robots.txt, and stands there once [INST-07]', () => {
  for (const name of trainingCrawlers) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9 _-]+$/)
  expect(new Set(trainingCrawlers.map((name) => name.toLowerCase())).size).toBe(trainingCrawlers.length)
})

test('every answer says by headers whether it may train models, also one that is cached or unchanged [INST-07]', async () => {
  const { set, headersOf, request, boss, app } = await start()
  await boss.does(submitPost, { input: { content: 'A poem', authorName: 'Boss', type: 'premium' } })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const etag = String((await request({ url: '/api/feed/day/0' })).headers.etag)
  const urls = [
    '/dashboard',
    '/api/feed/day/0',
    '/feed.atom',
    '/nothing',
    '/robots.txt',
    '/api/nothing',
    '/%ff',
  ]
  /** The second answer comes from the early answers. */
  const overNetwork = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`${base}/api/feed/day/0`, { headers })
    await answer.arrayBuffer()
    return [
      answer.headers.get('x-robots-tag') ?? undefined,
      answer.headers.get('tdm-reservation') ?? undefined,
    ]
  }
  const expectAll = async (expected: typeof refused | typeof allowed) => {
    for (const url of urls) expect([url, ...(await headersOf(url))]).toEqual([url, ...expected])
    expect(await headersOf('/api/feed/day/0', { 'if-none-match': etag })).toEqual(expected)
    for (let n = 0; n < 3; n++) {
      expect(await overNetwork()).toEqual(expected)
      expect(await overNetwork({ 'if-none-match': etag })).toEqual(expected)
    }
  }
  await expectAll(refused)
  await set({ modelTraining: true })
  await expectAll(allowed)
  await set({ modelTraining: false })
  await expectAll(refused)
})

test('tdmrep.json reserves all texts, or none [INST-07]', async () => {
  const { set, request } = await start()
  const file = async () => {
    const { headers, body } = await request({ url: '/.well-known/tdmrep.json' })
    return [headers['content-type'], JSON.parse(body)]
  }
  const type = 'application/json; charset=utf-8'
  expect(await file()).toEqual([type, [{ location: '/', 'tdm-reservation': 1 }]])
  await set({ modelTraining: true })
  expect(await file()).toEqual([type, [{ location: '/', 'tdm-reservation': 0 }]])
})

test('where search engines are refused too, both refusals stand in the headers [INST-07 PUB-09]', async () => {
  const { set, headersOf, bodyAt } = await start({ searchEngines: false })
  expect(await headersOf('/dashboard')).toEqual(['noindex, nofollow, noai, noimageai', '1'])
  expect(await headersOf('/shell')).toEqual(['noindex, nofollow, noai, noimageai, noindex', '1'])
  expect(await bodyAt('/robots.txt')).toBe('User-agent: *\nDisallow: /\n')
  await set({ modelTraining: true })
  expect(await headersOf('/dashboard')).toEqual(['noindex, nofollow', undefined])
})

test.for(['NOTIFY', 'Redis'] as const satisfies Messenger[])(
  'over %s every process refuses or allows the training of models as an admin has set it [INST-07]',
  async (messenger, context) => {
    const t = await startTwoApps(messenger, context)
    const boss = await t.admin()
    const set = settingsBy(boss, { visitor: t.visitor, processes: 1 })
    const atOther = async () => {
      const { headers, body } = await t.other.inject({ url: '/robots.txt' })
      return [headers['x-robots-tag'], headers['tdm-reservation'], body.includes('GPTBot')]
    }
    expect(await atOther()).toEqual([...refused, true])
    await set({ modelTraining: true })
    await vi.waitFor(async () => expect(await atOther()).toEqual([...allowed, false]), { timeout: 2500 })
    await set({ modelTraining: false })
    await vi.waitFor(async () => expect(await atOther()).toEqual([...refused, true]), { timeout: 2500 })
  },
)
