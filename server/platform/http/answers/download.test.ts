import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { Download, sendDownload } from './download.ts'

async function dispositionOf(title: string) {
  const app = Fastify()
  onTestFinished(() => app.close())
  const file = new Download({
    type: 'text/plain; charset=utf-8',
    title,
    plainName: 'story',
    extension: 'txt',
    content: Buffer.from('ä'),
  })
  app.get('/', (_request, reply) => sendDownload(reply, file))
  const { headers, rawPayload } = await app.inject('/')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(rawPayload).toEqual(Buffer.from('ä'))
  return String(headers['content-disposition'])
}

test.each([
  ['The long night', 'The long night'],
  ['Große Nacht 月の庭 🌊', 'Große Nacht 月の庭 🌊'],
  ["It's (not) *that* 100% a;b,c", "It's (not) that 100% a;b,c"],
  ['../../etc/passwd', 'etc passwd'],
  ['C:\\boot "x"', 'C boot x'],
  ['a\r\nset-cookie: sid=1', 'a set-cookie sid=1'],
  ['👩‍👩‍👧 می‌خواهم', '👩‍👩‍👧 می‌خواهم'],
  ['.hidden. .', 'hidden'],
  ['photo\u202etxt.exe\u2028\u2067', 'photo txt.exe'],
  ['a'.repeat(100), `${'a'.repeat(60)}…`],
  ['🌊'.repeat(61), `${'🌊'.repeat(60)}…`],
  ['\u0001', 'story'],
  ['???', 'story'],
  ['', 'story'],
])('a file with the title “%s” is kept under a name that harms nobody [S35]', async (title, name) => {
  const disposition = await dispositionOf(title)
  const [, encoded = ''] =
    /^attachment; filename="story\.txt"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(disposition) ?? []
  expect(decodeURIComponent(encoded)).toBe(`${name}.txt`)
})
