import { expect, test } from 'vitest'
import { getInstancePage } from '#contract/instance/endpoints.ts'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'
import { settingsBy } from '#server/testing/instance-settings.ts'
import { dataIn, makePageFolder } from '#server/testing/page-folder.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { instancePageOf } from './text-use.ts'

const publicOrigin = 'https://zimmer.example'
const environment = { searchEngines: true, diaryKey: undefined, webSubHub: undefined }
const textOf = (settings: Partial<InstanceSettings> = {}, more: object = {}) =>
  instancePageOf('privacy', { ...instanceDefaults, ...settings }, { ...environment, ...more }).textUse!.join(
    ' ',
  )

test.each<[string, Partial<InstanceSettings>, object, shown: string, hidden: string]>([
  ['training is refused', {}, {}, 'to train models are asked to stay away', 'have allowed that crawlers'],
  [
    'training is allowed',
    { modelTraining: true },
    {},
    'have allowed that crawlers read these texts to train models',
    'are asked to stay away',
  ],
  ['no word is watched', {}, {}, 'Admins and moderators read posts', 'list of words'],
  ['words are watched', { watchedWords: 'x' }, {}, 'compared with a list of words', 'never'],
  ['rooms are private', { publicRooms: false }, {}, 'New Z!mmers are private', 'never'],
  ['rooms can be public', {}, {}, 'public Z!mmers', 'New Z!mmers are private'],
  ['search engines may read', {}, {}, 'Search engines may list', 'asked to list nothing'],
  ['search engines may not', {}, { searchEngines: false }, 'asked to list nothing', 'engines may list'],
  ['texts are encrypted', {}, { diaryKey: 'a key' }, 'are encrypted in it', 'not encrypted'],
  ['texts are not encrypted', {}, {}, 'texts are not encrypted', 'are encrypted in it'],
  ['a hub is notified', {}, { webSubHub: 'https://hub.example' }, 'A service is notified', 'never'],
  ['no hub is notified', {}, {}, 'sells no texts', 'A service is notified'],
])('where %s, the page says so [INST-07]', (_case, settings, more, shown, hidden) => {
  const text = textOf(settings, more)
  expect(text).toContain(shown)
  expect(text).not.toContain(hidden)
})

test('the page about privacy is there without a text of an admin, and below one, and follows the switch [INST-07 PUB-08]', async () => {
  const { request, admin, visitor, ...t } = await startTestApp({
    pageFolder: makePageFolder(),
    config: { publicOrigin },
  })
  const set = settingsBy(await admin(), { visitor, ...t })
  const page = async () => {
    const { statusCode, body } = await request({ url: '/privacy' })
    return { statusCode, body, answer: dataIn(body).answers['/api/instance/privacy'] }
  }
  const bare = await page()
  expect(bare.statusCode).toBe(200)
  expect(bare.body).toContain('<title>Privacy · Z!mmer</title>')
  expect(bare.body).toContain('<meta name="description" content="Everybody can read published posts')
  expect(bare.body).toContain(`<link rel="canonical" href="${publicOrigin}/privacy" />`)
  expect(bare.body).toContain('rendered /privacy')
  expect(bare.answer).toEqual(await visitor().does(getInstancePage, { params: { page: 'privacy' } }))
  expect(JSON.stringify(bare.answer)).toContain('asked to stay away')
  expect((await request({ url: '/sitemap.xml' })).body).toContain(`<loc>${publicOrigin}/privacy</loc>`)

  await set({ privacy: 'Yours.', modelTraining: true })
  const written = await page()
  expect(written.answer).toMatchObject({ content: 'Yours.' })
  expect(JSON.stringify(written.answer)).toContain('have allowed that crawlers')
  expect(written.body).toContain('<meta name="description" content="Yours." />')
  expect(await visitor().does(getInstancePage, { params: { page: 'rules' } })).toEqual({ content: '' })
})
