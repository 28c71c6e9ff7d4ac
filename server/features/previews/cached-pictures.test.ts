import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { mebibyte } from '#server/platform/memory.ts'
import { createCachedPictures } from './cached-pictures.ts'

const anAnswerCache = () =>
  new AnswerCache({ memory: 100 * mebibyte, bus: createLocalBus(), clock: systemClock })
const start = () => createCachedPictures(anAnswerCache())
afterEach(() => void vi.useRealTimers())

const aPreview = (n: number) => ({ title: `Post ${n}`, below: 'Ana', lamp: '#a34717' })

test('callers that request one picture at the same time, and later, get the same drawing [PUB-10]', async () => {
  const pictures = start()
  const asked = Array.from({ length: 60 }, () => pictures.get('posts 1', aPreview(1), 'one address'))
  const drawn = new Set(await Promise.all(asked))
  expect(drawn.size).toBe(1)
  expect(drawn).toContain(await pictures.get('posts 1', aPreview(1), 'another address'))
})

test('a picture is drawn again after its texts have changed [PUB-10]', async () => {
  const pictures = start()
  const first = await pictures.get('posts 1', aPreview(1), 'one address')
  const second = await pictures.get('posts 1', aPreview(2), 'one address')
  expect(second.etag).not.toBe(first.etag)
  expect(await pictures.get('posts 1', aPreview(2), 'one address')).toBe(second)
})

test('20 drawings of one address may wait and more are refused, and the drawing of another address waits with them [R14]', async () => {
  const pictures = start()
  const get = (n: number, owner: string) => pictures.get(`posts ${n}`, aPreview(n), owner)
  const asked = Array.from({ length: 30 }, (_none, n) => get(n, 'one address'))
  const other = get(30, 'another address')
  const answers = await Promise.allSettled(asked)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(21)
  expect(answers.at(-1)).toMatchObject({ reason: { code: 'Unavailable' } })
  expect((await other).length).toBeGreaterThan(0)
  expect((await get(29, 'one address')).length).toBeGreaterThan(0)
})

test('a caller whose picture is not drawn within ten seconds is refused, the drawing goes on alone, and the next one begins after it [S58 R14]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const begun: { title: string; end: (png: Buffer) => void }[] = []
  const pictures = createCachedPictures(anAnswerCache(), ({ title }) => {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    begun.push({ title, end: resolve })
    return promise
  })
  const titles = () => begun.map(({ title }) => title)
  const asked = [1, 1, 2].map((n) => pictures.get(`posts ${n}`, aPreview(n), 'one address'))
  const answers = Promise.allSettled(asked)
  await vi.advanceTimersByTimeAsync(9_999)
  const again = pictures.get('posts 1', aPreview(1), 'another address')
  await vi.advanceTimersByTimeAsync(1)
  const refused = { status: 'rejected', reason: { code: 'Unavailable' } }
  expect(await answers).toMatchObject([refused, refused, refused])
  expect(titles()).toEqual(['Post 1'])
  begun[0]!.end(Buffer.from('the picture of post 1'))
  expect(String(await (await again).in('plain'))).toBe('the picture of post 1')
  expect(titles()).toEqual(['Post 1', 'Post 2'])
  expect(await pictures.get('posts 1', aPreview(1), 'one address')).toBe(await again)
  begun[1]!.end(Buffer.from('the picture of post 2'))
  await vi.waitFor(async () =>
    expect(await pictures.get('posts 2', aPreview(2), 'one address')).toMatchObject({ length: 21 }),
  )
})
