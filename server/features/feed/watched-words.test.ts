import { expect, test, vi } from 'vitest'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { approvePost, createPost, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { publishScheduledPost } from '#contract/feed/scheduled/endpoints.ts'
import { settingsBy } from '#server/testing/instance-settings.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { newToken, programWith } from '#server/testing/programs.ts'
import { inMinutes, schedule } from '#server/testing/scheduling.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const premium = { authorName: 'Ana', type: 'premium' } as const

/** A person who publishes premium posts, and an admin who watches for words. */
async function start(watchedWords = 'café\nbuy now') {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(), await t.admin()]
  const set = settingsBy(boss, t)
  await set({ watchedWords })
  const queue = async () =>
    (await boss.does(listPendingPosts)).map(({ content, watchedWords: words }) => [content, words])
  const submit = (content: string, more: object = {}, by: Client = ana) =>
    by.does(submitPost, { input: { ...premium, content, ...more } })
  const feed = async () =>
    (await t.visitor().does(getFeedDay, { params: { offset: '0' } })).map(({ content }) => content)
  return { ...t, ana, boss, set, queue, submit, feed }
}

test('a premium post with a watched word waits for review, the queue names the word, and the author reads the usual state [INST-06]', async () => {
  const { ana, queue, submit, feed, boss, visitor } = await start()
  const held = await submit('At the CAFE')
  expect(held.status).toBe('pending')
  expect((await submit('At the cafeteria')).status).toBe('published')
  expect(await queue()).toEqual([['At the CAFE', ['café']]])
  expect(await feed()).toEqual(['At the cafeteria'])
  expect(await visitor().tries(getPost, { params: { id: held.id } })).toMatchObject({ status: 404 })
  const own = JSON.stringify([
    held,
    await ana.does(getOwnPost, { params: { id: held.id } }),
    await ana.does(listOwnPosts),
  ])
  expect(own).not.toContain('café')
  expect(own).not.toMatch(/watched/i)
  await boss.does(approvePost, { params: { id: held.id } })
  expect(await feed()).toContain('At the CAFE')
})

test('a watched word is found behind signs that nobody sees [INST-06]', async () => {
  const { submit } = await start()
  expect((await submit('At the ca\u2060f\u200b\ufeffé')).status).toBe('pending')
  expect((await submit('A title', { authorName: 'Caf\u2060é Royal' })).status).toBe('pending')
})

test('a watched word in the author name or a tag holds a post too [INST-06]', async () => {
  const { submit, queue } = await start()
  expect((await submit('One', { authorName: 'Café Royal' })).status).toBe('pending')
  expect((await submit('Two', { tags: ['rain', 'buy now'] })).status).toBe('pending')
  expect((await submit('Three', { tags: ['buy', 'now'] })).status).toBe('published')
  expect(await queue()).toEqual([
    ['Two', ['buy now']],
    ['One', ['café']],
  ])
})

test('a correction with a watched word waits beside the published text [INST-06]', async () => {
  const { ana, submit, feed, queue } = await start()
  const { id } = await submit('A poem')
  const change = async (content: string, tags?: string[]) => {
    const { updatedAt: base } = await ana.does(getOwnPost, { params: { id } })
    const input = { content, base, ...(tags && { tags }) }
    return (await ana.does(changePost, { params: { id }, input })).status
  }
  expect(await change('A longer poem')).toBe('published')
  expect(await change('A poem: buy now')).toBe('pending')
  expect(await feed()).toEqual(['A longer poem'])
  expect(await queue()).toEqual([['A poem: buy now', ['buy now']]])
  expect(await change('A poem', ['café'])).toBe('pending')
  expect(await change('A poem', [])).toBe('published')
})

test('a scheduled post is compared at its time, with the words of that time, also when its author publishes it now [INST-06]', async () => {
  const { ana, queue, set, clock, ...t } = await start('')
  const at = inMinutes({ clock }, 60)
  const [due, early] = [await schedule(ana, 'A café', at), await schedule(ana, 'Buy now', at)]
  await schedule(ana, 'A poem', at)
  await set({ watchedWords: 'café\nbuy now' })
  expect(await ana.does(publishScheduledPost, { params: { id: early } })).toMatchObject({ status: 'pending' })
  clock.set(at)
  await vi.waitFor(async () => expect(await t.feed()).toEqual(['A poem']), { timeout: 20_000, interval: 50 })
  await vi.waitFor(async () => expect(await queue()).toHaveLength(2), { timeout: 20_000, interval: 50 })
  expect(await queue()).toEqual(
    expect.arrayContaining([
      ['A café', ['café']],
      ['Buy now', ['buy now']],
    ]),
  )
  expect(await ana.does(getOwnPost, { params: { id: due } })).toMatchObject({ status: 'pending' })
})

test('a post by a token, and one that was a draft, are compared too [INST-06]', async () => {
  const { ana, submit, queue, request } = await start()
  const { token } = await newToken(ana, 'posts:write')
  expect((await submit('By a program: buy now', {}, programWith(request, token))).status).toBe('pending')
  const draft = await ana.does(createDraft, {
    input: {
      content: 'A draft, café',
      authorName: 'Ana',
      postType: 'premium',
      category: null,
      tags: [],
      form: null,
    },
  })
  const more = { draftId: draft.id, draftBase: draft.updatedAt }
  expect((await submit('A draft, café', more)).status).toBe('pending')
  expect(await queue()).toHaveLength(2)
})

test('posts of admins are not held, and what was published before a word was listed stays [INST-06]', async () => {
  const { boss, submit, set, feed } = await start('')
  await submit('An old café')
  await set({ watchedWords: 'café' })
  await boss.does(createPost, { input: { content: 'A café article', authorName: 'Boss' } })
  expect((await submit('A café of the boss', {}, boss)).status).toBe('published')
  expect((await feed()).toSorted()).toEqual(['A café article', 'A café of the boss', 'An old café'])
})

test('a post that waits anyway names its watched words, by the list of now [INST-06]', async () => {
  const { submit, queue, set } = await start()
  await submit('Buy now in the café', { type: 'standard' })
  expect(await queue()).toEqual([['Buy now in the café', ['buy now', 'café']]])
  await set({ watchedWords: 'now' })
  expect(await queue()).toEqual([['Buy now in the café', ['now']]])
  await set({ watchedWords: '' })
  expect(await queue()).toEqual([['Buy now in the café', undefined]])
})

test.for(['NOTIFY', 'Redis'] as const satisfies Messenger[])(
  'over %s a watched word holds posts in every process as soon as the call is answered there [INST-06]',
  async (messenger, context) => {
    const t = await startTwoApps(messenger, context)
    const [ana, boss] = [await t.person(), await t.admin()]
    const both = { visitor: t.visitor, processes: 1 }
    const submit = (by: Client, content: string) => by.does(submitPost, { input: { ...premium, content } })
    expect((await submit(t.atOther(ana), 'A café')).status).toBe('published')
    await settingsBy(boss, both)({ watchedWords: 'café' })
    expect((await submit(ana, 'Another café')).status).toBe('pending')
    let n = 0
    await vi.waitFor(
      async () => expect((await submit(t.atOther(ana), `Café number ${++n}`)).status).toBe('pending'),
      { timeout: 2500, interval: 100 },
    )
  },
)
