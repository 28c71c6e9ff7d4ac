import { isDeepStrictEqual } from 'node:util'
import { expect, test, vi } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import type { Announcement } from '#contract/instance/announcement.ts'
import { changeInstanceSettings, getInstanceSettings } from '#contract/instance/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { dataIn } from '#server/testing/page-folder.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const friday: Announcement = {
  text: 'We meet on <Friday>.',
  link: '/rules',
  endsAt: '2025-06-10T13:00:00.000Z',
}
const withAnnouncement = (changes: Partial<Announcement> = {}) => ({
  input: { base: null, announcement: { ...friday, ...changes } },
})

test('an announcement is in the settings of every page until it ends, also in pages that were cached [INST-03]', async () => {
  const { admin, visitor, request, clock } = await startTestApp()
  const boss = await admin()
  const pages = ['/', '/dashboard', '/about', '/diary', '/nothing']
  const shown = async () =>
    Promise.all(
      pages.map(async (url) => {
        const { answers } = dataIn((await request({ url })).body)
        return (answers['/api/config'] as { instance?: { announcement?: Announcement } }).instance
          ?.announcement
      }),
    )
  const none = pages.map(() => undefined)
  expect(await shown()).toEqual(none)
  await boss.does(changeInstanceSettings, withAnnouncement())
  await vi.waitFor(async () => expect(await shown()).toEqual(pages.map(() => friday)))
  expect((await request({ url: '/' })).body).not.toContain('<Friday>')
  clock.advance(50 * 60_000)
  expect(await shown()).toEqual(pages.map(() => friday))
  clock.advance(10 * 60_000)
  expect(await shown()).toEqual(none)
  expect(await visitor().does(getConfig)).not.toHaveProperty('instance')
  // An admin still sees it, and can give it another end.
  expect(await boss.does(getInstanceSettings)).toMatchObject({ announcement: friday })
})

test('an admin removes an announcement [INST-03]', async () => {
  const { admin, visitor } = await startTestApp()
  const boss = await admin()
  const { updatedAt: base } = await boss.does(changeInstanceSettings, withAnnouncement())
  await boss.does(changeInstanceSettings, { input: { base, announcement: null } })
  await vi.waitFor(async () => expect(await visitor().does(getConfig)).not.toHaveProperty('instance'))
})

test.for([
  [{ text: 'x'.repeat(500) }, 200],
  [{ text: 'x'.repeat(501) }, 400],
  [{ text: ' \n' }, 400],
  [{ link: null }, 200],
  [{ link: 'https://example.org/a?b#c' }, 200],
  [{ link: 'https://example.org' }, 200],
  [{ link: `/${'x'.repeat(500)}` }, 400],
  ...[
    'http://example.org',
    'javascript:alert(1)',
    '//example.org',
    '/\\example.org',
    '/\t/example.org',
    'https://a@example.org',
    'https://example.org\\@b.example',
    'https:///example.org',
    'example.org',
    'https://example.org/ a',
    '',
  ].map((link) => [{ link }, 400] as const),
  [{ endsAt: '2025-06-10T12:00:00.000Z' }, 400],
  [{ endsAt: '2025-06-31T12:00:00.000Z' }, 400],
  [{ endsAt: 'tomorrow' }, 400],
] as const)(
  'an announcement with %j is answered %i, and a refused one changes nothing [INST-03 S38]',
  async ([changes, status]) => {
    const { admin, db } = await startTestApp()
    const boss = await admin()
    const before = await contentOf(db)
    const answer = await boss.tries(changeInstanceSettings, withAnnouncement(changes))
    expect([answer.status, answer.code]).toEqual([status, status === 200 ? undefined : 'InvalidInput'])
    const isAsBefore = isDeepStrictEqual(await contentOf(db), before)
    expect(isAsBefore).toBe(status !== 200)
  },
)
