import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import type { FirstPage } from '#contract/app/page-data.ts'
import { olderTextsPath, personPath } from '#contract/people/paths.ts'
import { personPostsAtOnce, personStoriesAtOnce } from '#contract/people/endpoints.ts'
import {
  changeRoomMembership,
  createRoom,
  finishedRoomsAtOnce,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { shelfPath } from '#contract/rooms/paths.ts'
import { dataIn, makePageFolder } from '../testing/page-folder.ts'
import { aRoom } from '../testing/rooms.ts'
import { startTestApp } from '../testing/test-app.ts'

/** Rendered pages consist of their address and the count of all pages that were rendered so far. */
async function startWithPages() {
  const pageFolder = makePageFolder()
  const countingRenderer =
    'let count = 0\nexport const render = async (address) => `<main>${address} ${++count}</main>`'
  writeFileSync(join(pageFolder, 'render.js'), countingRenderer)
  const t = await startTestApp({ config: { publicOrigin: 'https://zimmer.example' }, pageFolder })
  const nextIn = (page: string) => /<link rel="next" href="https:\/\/zimmer\.example([^"]+)"/.exec(page)?.[1]
  return { t, nextIn }
}

/** The lists on the page of a person, each with the path of its call. */
function listsIn(page: string) {
  const lists = Object.entries(dataIn(page).lists)
  const listOf = (name: string) => {
    const [path, list] = lists.find(([each]) => each.includes(`/${name}?`))!
    return { path, ...list }
  }
  return { posts: listOf('posts'), stories: listOf('stories') }
}

/** Search engines are asked not to list the page. */
function expectUnlisted(page: string) {
  expect(page).toContain('<meta name="robots" content="noindex"')
  expect(page).not.toContain('rel="canonical"')
}

test('a visitor reaches all finished stories by links from page to page, also without scripts, and older pages are not kept [PUB-01 R24]', async () => {
  const { t, nextIn } = await startWithPages()
  const people = [await t.person(), await t.person()]
  const ids: string[] = []
  for (let i = 0; i <= finishedRoomsAtOnce; i++)
    ids.unshift(
      (await people[i % 2]!.does(createRoom, { input: aRoom({ name: `Story ${i}`, duration: 15 }) })).id,
    )
  t.clock.advance(16 * 60_000)
  const pageAt = async (url: string) => {
    const { body, statusCode } = await t.request({ url })
    const [[path, list]] = Object.entries(dataIn(body).lists) as [[string, FirstPage]]
    return { body, statusCode, path, ids: list.items.map((item) => (item as { id: string }).id) }
  }
  const first = await pageAt(shelfPath)
  const next = nextIn(first.body)!
  expect(next).toMatch(/^\/projects\/finished\?before=/)
  const second = await pageAt(next)
  expect([...first.ids, ...second.ids]).toEqual(ids)
  expect(second.path).toBe(`/api/zimmers/finished?limit=24&before=${encodeURIComponent(next.split('=')[1]!)}`)
  expect(second.body).toContain(`<main>${next} 2</main>`)
  expect((await pageAt(next)).body).toContain(`<main>${next} 3</main>`)
  expect((await pageAt(shelfPath)).body).toContain(`<main>${shelfPath} 1</main>`)
  expect(nextIn(second.body)).toBeUndefined()
  expectUnlisted(second.body)
  for (const query of ['?before=x', '?before=', `${next.slice(shelfPath.length)}_`, '?page=2'])
    expect((await t.request({ url: `${shelfPath}${query}` })).body).not.toContain('<main>')
})

test('a visitor reaches all posts of a person from page to page, also without scripts, and older pages are not kept [PUB-01 PPL-01 R24]', async () => {
  const { t, nextIn } = await startWithPages()
  const ana = await t.person({ firstName: 'Ana', lastName: 'Lima' })
  await ana.does(changeSettings, { input: { hasPage: true } })
  const { id } = ana.me
  await t.db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-a000-' || lpad(i::text, 12, '0'))::uuid, 'Post ' || i, 'Ana Lima', ${id}, 'standard', at, at,
      at::date, ''
    from generate_series(0, ${2 * personPostsAtOnce}::int) i, lateral (select app_now() - i * interval '1 hour' as at) t`)
  const pageAt = async (url: string) => {
    const { body } = await t.request({ url })
    const lists = Object.entries(dataIn(body).lists)
    const [posts, stories] = ['posts', 'stories'].map((name) => {
      const [path, list] = lists.find(([each]) => each.includes(`/${name}?`))!
      return { path, ...list }
    }) as [FirstPage & { path: string }, FirstPage & { path: string }]
    return {
      body,
      posts,
      stories,
      contents: posts.items.map((item) => (item as { content: string }).content),
    }
  }
  const first = await pageAt(personPath(id))
  const second = await pageAt(nextIn(first.body)!)
  const third = await pageAt(nextIn(second.body)!)
  expect([...first.contents, ...second.contents, ...third.contents]).toEqual(
    Array.from({ length: 2 * personPostsAtOnce + 1 }, (_, i) => `Post ${i}`),
  )
  expect(nextIn(third.body)).toBeUndefined()
  const before = first.posts.nextBefore!
  expect(second.posts.path).toBe(`/api/people/${id}/posts?limit=10&before=${encodeURIComponent(before)}`)
  expect(second.stories.path).toBe(`/api/people/${id}/stories?limit=${personStoriesAtOnce}`)

  const older = olderTextsPath(id, 'posts', before)
  expect((await pageAt(older)).body).toContain(`<main>${older} 4</main>`)
  expect((await pageAt(personPath(id))).body).toContain(`<main>${personPath(id)} 1</main>`)
  expectUnlisted(second.body)
})

test('a visitor reaches the older stories of a person from page to page, beside the newest posts [PUB-01 PPL-01]', async () => {
  const { t } = await startWithPages()
  const ana = await t.person({ firstName: 'Ana', lastName: 'Lima' })
  await ana.does(changeSettings, { input: { hasPage: true } })
  const ids: string[] = []
  for (let i = 0; i <= personStoriesAtOnce; i++) {
    const { id } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
    await ana.does(changeRoomMembership, { params: { id }, input: { signsWithName: true } })
    await ana.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
    t.clock.advance(20 * 60_000)
    ids.unshift(id)
  }
  const pageAt = async (url: string) => listsIn((await t.request({ url })).body)
  const first = await pageAt(personPath(ana.me.id))
  const before = first.stories.nextBefore!
  const second = await pageAt(olderTextsPath(ana.me.id, 'stories', before))
  const idsIn = (list: FirstPage) => list.items.map((item) => (item as { id: string }).id)
  expect([...idsIn(first.stories), ...idsIn(second.stories)]).toEqual(ids)
  expect(second.stories.path).toBe(
    `/api/people/${ana.me.id}/stories?limit=5&before=${encodeURIComponent(before)}`,
  )
  expect(second.posts).toEqual(first.posts)
})

test('a page of a person at a cursor that our links do not write is sent without its text, and one at other queries with it [PUB-01]', async () => {
  const { t } = await startWithPages()
  const ana = await t.person()
  await ana.does(changeSettings, { input: { hasPage: true } })
  const path = personPath(ana.me.id)
  const bodyAt = async (query: string) => (await t.request({ url: `${path}${query}` })).body
  for (const query of ['?posts-before=x', '?posts-before=', '?a=1&stories-before=x'])
    expect(await bodyAt(query)).not.toContain('<main>')
  expect(await bodyAt('?from=mail')).toContain(`<main>${path} 1</main>`)
})

test('older texts of a person without a page are not found [PUB-03]', async () => {
  const { t } = await startWithPages()
  const ana = await t.person()
  await ana.does(changeSettings, { input: { hasPage: false } })
  const before = '2025-06-09T12:00:00.000Z_01900000-0000-7000-8000-000000000001'
  for (const id of [ana.me.id, 'b3n0000000', 'x'])
    expect((await t.request({ url: olderTextsPath(id, 'posts', before) })).statusCode).toBe(404)
})
