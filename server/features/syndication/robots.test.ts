import { expect, test } from 'vitest'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { calls, requestOf } from '#server/testing/calls.ts'
import { startWorld } from '#server/testing/world.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('a search engine may read everything but the API, and finds the sitemap [PUB-09]', async () => {
  const { request } = await startTestApp({ config: { publicOrigin: 'https://zimmer.example' } })
  const { statusCode, headers, body } = await request({
    url: '/robots.txt',
    headers: { host: 'evil.example' },
  })
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(body).toMatch(/^User-agent: \*\nDisallow: \/api\/\n\n/)
  expect(body).toMatch(/\n\nSitemap: https:\/\/zimmer\.example\/sitemap\.xml\n$/)
})

test('an instance without search engines refuses them by its rules and by a header of every answer [PUB-09]', async () => {
  for (const searchEngines of [true, false]) {
    const world = await startWorld({ config: { searchEngines } })
    const upload = calls.find(({ endpoint }) => endpoint === uploadCover)!
    const { imageUrl } = (await world.callers.admin.request(requestOf(upload, upload.make(world)))).json<{
      imageUrl: string
    }>()
    const paths = [
      '/dashboard',
      '/about',
      `/posts/${world.published}`,
      `/people/${world.known.id}`,
      '/posts/nothing',
      '/nothing',
      imageUrl,
      '/icon.svg',
      '/feed.atom',
      '/feed.rss',
      '/feed.json',
      `/people/${world.known.id}/feed.atom`,
      '/stories/feed.json',
      '/sitemap.xml',
      `/preview/posts/${world.published}.png`,
      '/robots.txt',
      '/api/feed/day/0',
      '/%ff',
    ]
    for (const url of paths) {
      const { headers } = await world.request({ url })
      const tags = String(headers['x-robots-tag'])
      expect([url, tags.includes('noindex, nofollow')]).toEqual([url, !searchEngines])
    }
    const { body } = await world.request({ url: '/robots.txt' })
    expect(body.startsWith('User-agent: *\nDisallow: /\n')).toBe(!searchEngines)
  }
})
