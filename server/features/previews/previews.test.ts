import sharp from 'sharp'
import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { accents } from '#contract/instance/accents.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { startWorld } from '#server/testing/world.ts'

const unknownId = '00000000-0000-7000-8000-000000000001'

test('everybody gets the preview pictures of a post, a finished story and a person [PUB-10]', async () => {
  const { request, published, story, known } = await startWorld()
  for (const url of [
    `/preview/posts/${published}.png`,
    `/preview/stories/${story}.png`,
    `/preview/people/${known.id}.png`,
  ]) {
    const answer = await request({ url })
    expect([url, answer.statusCode]).toEqual([url, 200])
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'content-length': String(answer.rawPayload.length),
    })
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
    })
    const again = await request({ url, headers: { 'accept-encoding': 'br' } })
    expect(again.rawPayload).toEqual(answer.rawPayload)
    const same = await request({ url, headers: { 'if-none-match': String(answer.headers.etag) } })
    expect([same.statusCode, same.body]).toEqual([304, ''])
  }
})

test('a text that not everybody may read has no preview picture: the answer is that of an unknown id [PUB-03]', async () => {
  const world = await startWorld()
  const { request, callers, published, waiting, room, privateRoom, privateStory, known } = world
  await callers.admin.does(changePostVisibility, { params: { id: published }, input: { isVisible: false } })
  await callers.user.does(changeSettings, { input: { hasPage: false } })
  const never = await request({ url: `/preview/posts/${unknownId}.png` })
  expect([never.statusCode, never.json()]).toMatchObject([404, { code: 'NotFound' }])
  for (const [kind, id] of [
    ['posts', published],
    ['posts', waiting],
    ['posts', world.story],
    ['posts', 'nothing'],
    ['posts', `${published.toUpperCase()}`],
    ['stories', room],
    ['stories', privateRoom],
    ['stories', privateStory],
    ['stories', published],
    ['stories', unknownId],
    ['people', known.id],
    ['people', callers.other.me.id],
    ['people', callers.guest.me.id],
    ['people', '0000000000'],
    ['people', `${known.id}0`],
  ] as const)
    for (const who of [world.visitor(), callers.user, callers.admin]) {
      const answer = await who.request({ method: 'GET', url: `/preview/${kind}/${id}.png` })
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers
      const { 'x-request-id': _neverId, date: _neverDate, ...neverHeaders } = never.headers
      expect([kind, id, answer.statusCode, answer.body]).toEqual([kind, id, 404, never.body])
      expect(headers).toEqual(neverHeaders)
    }
})

test('a kept picture is not found once its post is hidden, and is drawn again when its texts change [PUB-03 PUB-10]', async () => {
  const { request, callers, published, known } = await startWorld()
  const url = `/preview/people/${known.id}.png`
  const first = await request({ url })
  await callers.user.does(changeSettings, { input: { introduction: 'I write about rooms.' } })
  const second = await request({ url, headers: { 'if-none-match': String(first.headers.etag) } })
  expect(second.statusCode).toBe(200)
  expect(second.headers.etag).not.toBe(first.headers.etag)
  const picture = { url: `/preview/posts/${published}.png` }
  const { headers } = await request(picture)
  await callers.admin.does(changePostVisibility, { params: { id: published }, input: { isVisible: false } })
  const hidden = await request({ ...picture, headers: { 'if-none-match': String(headers.etag) } })
  expect(hidden.statusCode).toBe(404)
})

test('a preview picture has the accent colour of the instance, and is drawn again when an admin chooses another one [INST-01]', async () => {
  const { request, callers, published } = await startWorld()
  const picture = { url: `/preview/posts/${published}.png` }
  const barOf = async (png: Buffer) => {
    const corner = sharp(png).removeAlpha().extract({ left: 0, top: 0, width: 1, height: 1 })
    return `#${(await corner.raw().toBuffer()).toString('hex')}`
  }
  const first = await request(picture)
  expect(await barOf(first.rawPayload)).toBe(accents.lamp.day.lamp)
  await callers.admin.does(changeInstanceSettings, { input: { base: null, accent: 'sea' } })
  const second = await request({ ...picture, headers: { 'if-none-match': String(first.headers.etag) } })
  expect(await barOf(second.rawPayload)).toBe(accents.sea.day.lamp)
})
