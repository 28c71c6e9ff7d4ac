import { expect, test, vi } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { changePost, restorePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { listPersonPosts } from '#contract/people/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { startTwoApps } from '../testing/messengers.ts'

const patience = { timeout: 5000, interval: 20 }

test.for(['NOTIFY', 'Redis'] as const)(
  'over %s every page, feed, picture and list of all processes follows an edit, a removal and a restoration, and id, day and address stay [LOOP-10]',
  async (messenger, context) => {
    const { person, visitor, atOther, clock } = await startTwoApps(messenger, context)
    const ana = await person({ firstName: 'Ana', lastName: 'Lima' })
    await ana.does(changeSettings, { input: { hasPage: true } })
    const readers = [visitor(), atOther(visitor())]
    const { id, createdAt } = await ana.does(submitPost, {
      input: { content: 'The first text\n\nIt was late.', authorName: 'Ana Lima', type: 'premium' },
    })
    // No time goes by, in which a process would read a text again by itself.
    const instant = clock.monotonicMs()
    clock.monotonicMs = () => instant
    const addresses = [
      '/api/feed/day/0',
      `/api/people/${ana.me.id}/posts`,
      '/feed.atom',
      '/feed.rss',
      '/feed.json',
      `/people/${ana.me.id}/feed.atom`,
      `/posts/${id}`,
      `/api/posts/${id}`,
      '/sitemap.xml',
    ]
    const read = () =>
      Promise.all(
        readers.flatMap((reader, n) =>
          // The second process has no page.
          addresses
            .filter((url) => n === 0 || !url.startsWith('/posts/'))
            .map(async (url) => {
              const { statusCode, body } = await reader.request({ method: 'GET', url })
              return { url, statusCode, body }
            }),
        ),
      )
    const pictures = async () =>
      Promise.all(
        readers.map(async (reader) => {
          const { statusCode, headers } = await reader.request({
            method: 'GET',
            url: `/preview/posts/${id}.png`,
          })
          return statusCode === 200 ? headers.etag : statusCode
        }),
      )
    await read()
    const first = await pictures()

    clock.advance(60_000)
    const input = { content: 'The second text\n\nIt was later.', base: createdAt }
    await ana.does(changePost, { params: { id }, input })
    await vi.waitFor(async () => {
      for (const { url, statusCode, body } of await read()) {
        expect([url, statusCode]).toEqual([url, 200])
        const news = url === '/sitemap.xml' ? '<lastmod>2025-06-10T12:01' : 'The second text'
        expect([url, body]).toEqual([url, expect.stringContaining(news)])
        expect([url, body]).toEqual([url, expect.not.stringContaining('The first text')])
        expect([url, body]).toEqual([url, expect.stringContaining(id)])
      }
    }, patience)
    const [atom, json] = [
      await readers[1]!.request({ method: 'GET', url: '/feed.atom' }),
      await readers[1]!.request({ method: 'GET', url: '/feed.json' }),
    ]
    expect(atom.body).toMatch(/<published>2025-06-10T12:00.*\n<updated>2025-06-10T12:01/)
    expect(json.body).toMatch(/"date_published":"2025-06-10T12:00[^"]*","date_modified":"2025-06-10T12:01/)
    const second = await pictures()
    expect(second[0]).toBe(second[1])
    expect(second[0]).not.toBe(first[0])

    await atOther(ana).does(takeBackPost, { params: { id } })
    await vi.waitFor(async () => {
      for (const { url, statusCode, body } of await read()) {
        const isOfPost = url.endsWith(id)
        expect([url, statusCode]).toEqual([url, isOfPost ? 404 : 200])
        expect([url, body]).toEqual([url, expect.not.stringContaining('The second text')])
      }
      expect(await pictures()).toEqual([404, 404])
    }, patience)

    await ana.does(restorePost, { params: { id } })
    await vi.waitFor(async () => {
      for (const reader of readers) {
        const [post] = await reader.does(getFeedDay, { params: { offset: '0' } })
        expect(post).toMatchObject({ id, publishedAt: createdAt, content: input.content })
        expect(await reader.does(listPersonPosts, { params: { id: ana.me.id } })).toMatchObject([{ id }])
      }
      expect(await pictures()).toEqual(second)
    }, patience)
  },
)
