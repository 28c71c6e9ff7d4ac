import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { shellPath } from '#contract/app/pages.ts'
import { accentNames, accents } from '#contract/instance/accents.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { iconNames, iconOf } from '#contract/instance/icons.ts'
import type { InstanceSettings } from '#contract/instance/settings.ts'
import { buildApp } from '#server/app.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { contentOf } from '#server/testing/content.ts'
import { makePageFolder } from '#server/testing/page-folder.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'

const root = join(import.meta.dirname, '../../..')
const built = (path: string) => readFileSync(join(root, path))
const defaultIcon = built('web/public/icon.svg').toString()

/** A page that is built with an icon and a manifest. */
function builtFolder() {
  const folder = makePageFolder()
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('index.html', built('index.html').toString())
  write('icon.svg', defaultIcon)
  write('icon-192.png', 'the default')
  write('manifest.webmanifest', built('web/public/manifest.webmanifest').toString())
  return folder
}

async function start() {
  const t = await startTestApp({ pageFolder: builtFolder() })
  const boss = await t.admin()
  let base: string | null = null
  return {
    ...t,
    boss,
    set: async (input: Partial<InstanceSettings>) => {
      const saved: { updatedAt: string | null } = await boss.does(changeInstanceSettings, {
        input: { base, ...input },
      })
      base = saved.updatedAt
    },
    bodyAt: async (url: string) => (await t.request({ url })).body,
  }
}

const pages = ['/', '/dashboard', '/about', '/diary', '/privacy', '/nothing', shellPath]
const files = ['/icon.svg', '/icon-192.png', '/manifest.webmanifest']

test('an accent and an icon are in the HTML of every page, and the default is the page as it was built [INST-01]', async () => {
  const { set, bodyAt } = await start()
  const all = async () => Promise.all([...pages, ...files].map(bodyAt))
  const before = await all()
  for (const html of before.slice(0, pages.length)) {
    expect(html).not.toContain('data-accent')
    expect(html).toContain('<link rel="icon" type="image/svg+xml" href="/icon.svg" />')
  }
  expect(before.slice(pages.length, -1)).toEqual([defaultIcon, 'the default'])

  await set({ accent: 'moss', icon: 'book' })
  for (const url of pages) {
    const html = await bodyAt(url)
    expect([url, /<html [^>]*>/.exec(html)![0]]).toEqual([
      url,
      expect.stringContaining(' data-accent="moss" '),
    ])
    expect(html).toContain('<link rel="icon" type="image/svg+xml" href="/icon.svg?book-moss" />')
  }
  await set({ accent: 'lamp' })
  expect(await bodyAt('/')).not.toContain('data-accent')
  expect(await bodyAt('/')).toContain('href="/icon.svg?book-lamp"')

  await set({ icon: 'mark' })
  expect(await all()).toEqual(before)
})

test('the files of the icon are drawn in the accent colour, and browsers ask for them again [INST-01]', async () => {
  const { set, request, bodyAt } = await start()
  await set({ accent: 'iris', icon: 'lamp' })
  const svg = await request({ url: '/icon.svg?lamp-iris' })
  expect(svg.body).toBe(iconOf('lamp', 'iris'))
  expect(svg.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, no-cache' })
  const { etag } = svg.headers
  expect((await request({ url: '/icon.svg', headers: { 'if-none-match': etag! } })).statusCode).toBe(304)
  for (const [file, size] of [
    ['icon-192.png', 192],
    ['icon-512.png', 512],
    ['icon-maskable-512.png', 512],
  ] as const) {
    const { headers, rawPayload } = await request({ url: `/${file}` })
    expect(headers['content-type']).toBe('image/png')
    const drawn = sharp(rawPayload)
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: size, height: size })
    // A maskable icon fills the square; the others have round corners.
    const { data } = await drawn.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(data[3]).toBe(file.includes('maskable') ? 255 : 0)
  }
  await set({ accent: 'rose' })
  const changed = await request({ url: '/icon.svg', headers: { 'if-none-match': etag! } })
  expect([changed.statusCode, changed.body]).toEqual([200, iconOf('lamp', 'rose')])
  expect(await bodyAt('/icon.svg')).toContain(accents.rose.night.lamp)
})

test('the manifest names the icons of the choice, and the accent as the colour of the app [INST-01]', async () => {
  const { set, bodyAt } = await start()
  const read = async () => JSON.parse(await bodyAt('/manifest.webmanifest')) as Record<string, unknown>
  const before = await read()
  await set({ accent: 'sea', icon: 'door' })
  const manifest = await read()
  expect(manifest).toMatchObject({ name: 'Z!mmer', theme_color: accents.sea.day.lamp })
  const text = await bodyAt('/manifest.webmanifest')
  expect(text.match(/\/icon[^"]+/g)).toHaveLength(6)
  for (const address of text.match(/\/icon[^"]+/g)!) expect(address).toMatch(/\?door-sea$/)
  await set({ accent: 'lamp' })
  expect(await read()).toMatchObject({ theme_color: before['theme_color'] })
})

test('every process has the choice at once, in pages that it had cached [INST-01]', async ({
  onTestFinished,
}) => {
  const bus = createLocalBus()
  const pageFolder = builtFolder()
  const { config, db: database, clock, admin } = await startTestApp({ busFor: () => bus, pageFolder })
  const other = await buildApp({ config, database, clock, bus, pageFolder, random: systemRandom })
  onTestFinished(() => other.close())
  const reader = new Client((options) => other.inject(options))
  const htmlAt = async (url: string) => (await reader.request({ method: 'GET', url })).body
  for (const url of pages) expect(await htmlAt(url)).not.toContain('data-accent')
  const boss = await admin()
  await boss.does(changeInstanceSettings, { input: { base: null, accent: 'pine' } })
  for (const url of pages)
    await expect.poll(() => htmlAt(url), { timeout: 25_000 }).toMatch(/<html [^>]*data-accent="pine"/)
})

test('nobody sets a colour or an icon of their own: the choice is refused, and nothing changes [INST-01]', async () => {
  const { boss, db } = await start()
  const before = await contentOf(db)
  for (const choice of [{ accent: '#ff0000' }, { icon: '<svg>' }, { accent: null }, { icon: '../book' }])
    expect(
      await boss.tries(changeInstanceSettings, { input: { base: null, ...choice } as never }),
    ).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await contentOf(db)).toEqual(before)
})

test('the audit log names a change of the look [INST-01]', async () => {
  const { set, boss } = await start()
  await set({ accent: 'plum', icon: 'leaf' })
  const [entry] = await boss.does(listAuditEntries, { query: { action: 'instance-changed' } })
  expect(entry!.details).toEqual({ changed: 'Accent colour, Icon' })
})

test('the default icon is the one that is built, and every icon of every colour can be drawn [INST-01]', async () => {
  expect(iconOf('mark', 'lamp').toLowerCase()).toBe(defaultIcon.toLowerCase())
  const drawn = await Promise.all(
    iconNames.flatMap((icon) =>
      accentNames.map(async (accent) => {
        const pixels = await sharp(Buffer.from(iconOf(icon, accent)))
          .raw()
          .toBuffer()
        return pixels.toString('base64')
      }),
    ),
  )
  expect(new Set(drawn).size).toBe(64)
})
