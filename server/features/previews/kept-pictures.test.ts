import { expect, test } from 'vitest'
import { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { mebibyte } from '#server/platform/memory.ts'
import { createKeptPictures } from './kept-pictures.ts'

const start = () => createKeptPictures(new PreparedAnswers(100 * mebibyte))
const aPreview = (n: number) => ({ title: `Post ${n}`, below: 'Ana' })

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
