import 'fake-indexeddb/auto'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listBookmarkIds } from '#contract/bookmarks/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { queryKeyOf } from '#web/lib/api.ts'
import { keptAddresses, readAnswer } from '#web/lib/device/answers.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { startWithEmptyDevice } from '#web/lib/testing.ts'
import { startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { keptFirstPage, keptPost, useKeptPosts } from './kept-posts.ts'

const server = startTestPage()
const posts = Array.from({ length: 60 }, () => aPost())
const ids = posts.map(({ id }) => id)
const keyOf = (id: string) => queryKeyOf(getPost, { params: { id } })

startWithEmptyDevice()
beforeEach(() => {
  writeKey('userId', ana.id)
  server.on(getPost, ({ params }) => posts.find(({ id }) => id === params.id)!)
})

/** A page that has read which posts the person keeps. */
function open(kept: string[]) {
  const client = createQueryClient()
  client.setQueryData(queryKeyOf(listBookmarkIds), kept)
  renderHook(() => useKeptPosts(ana.id), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  return client
}
const onDevice = async () => (await keptAddresses(ana.id, '/api/posts/')).toSorted()
const addressesOf = (kept: string[]) => kept.map((id) => keyOf(id)[0]!).toSorted()
async function expectOnDevice(kept: string[]) {
  await expect.poll(onDevice, { timeout: 5000 }).toEqual(addressesOf(kept))
}

test('the texts of the last 50 posts that a person keeps to read later are on the device, each asked for once [OWN-02 LOOP-17]', async () => {
  open(ids)
  await expectOnDevice(ids.slice(0, 50))
  expect(await readAnswer(ana.id, keyOf(ids[0]!))).toMatchObject({ answer: posts[0] })
  expect(server.calls(getPost)).toHaveLength(50)
  open(ids)
  open([ids[59]!, ...ids])
  await expectOnDevice([ids[59]!, ...ids.slice(0, 49)])
  expect(server.calls(getPost)).toHaveLength(51)
})

test('a post that is not kept any more leaves the device, and nobody asks for it [OWN-02 OWN-21]', async () => {
  open(ids.slice(0, 2))
  await expectOnDevice(ids.slice(0, 2))
  open(ids.slice(1, 2))
  await expectOnDevice(ids.slice(1, 2))
  open([])
  await expectOnDevice([])
  expect(server.calls(getPost)).toHaveLength(2)
})

test('without a network nothing is asked for again and again, and the next page goes on [OWN-02]', async () => {
  server.disconnect(getPost)
  open(ids.slice(0, 3))
  await expect.poll(() => server.calls(getPost).length).toBe(1)
  server.on(getPost, ({ params }) => posts.find(({ id }) => id === params.id)!)
  open(ids.slice(0, 3))
  await expectOnDevice(ids.slice(0, 3))
  expect(server.calls(getPost)).toHaveLength(4)
})

test('a post that is read is kept only when the person keeps it to read later [OWN-02 OWN-21]', () => {
  const client = createQueryClient()
  expect(keptPost(posts[0]!, [], client)).toBeUndefined()
  client.setQueryData(queryKeyOf(listBookmarkIds), [ids[1]])
  expect(keptPost(posts[0]!, [], client)).toBeUndefined()
  expect(keptPost(posts[1]!, [], client)).toBe(posts[1])
})

test('of the list the first page is kept, without a way to the next one [OWN-02]', () => {
  const pages = [
    { items: [1], nextBefore: 'a' },
    { items: [2], nextBefore: null },
  ]
  expect(keptFirstPage({ pages, pageParams: [undefined, 'a'] })).toEqual({
    pages: [{ items: [1], nextBefore: null }],
    pageParams: [undefined],
  })
})
