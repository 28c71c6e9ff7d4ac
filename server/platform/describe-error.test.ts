import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readArchive, writeArchive } from './backup/archive.ts'
import { errorText, sentenceOf } from './describe-error.ts'

const aFile = import.meta.filename

test.each([
  ['verify /nowhere/seal.json', () => readFile('/nowhere/seal.json'), 'There is no file /nowhere/seal.json.'],
  ['import ana@example.org /nowhere', () => stat('/nowhere'), 'There is no file /nowhere.'],
  [
    'backup /nowhere/a.tar.zst',
    () => writeArchive('/nowhere/a.tar.zst', Readable.from([])),
    'There is no folder /nowhere: make it first.',
  ],
  [
    // No account may make a file there.
    'backup /sys/a.tar.zst',
    () => writeArchive('/sys/a.tar.zst', Readable.from([])),
    'This account may not write in /sys: name another folder.',
  ],
  [
    'verify test.ts/seal.json',
    () => readFile(join(aFile, 'seal.json')),
    `There is no file ${join(aFile, 'seal.json')}.`,
  ],
  [
    'backup test.ts/a.tar.zst',
    () => writeArchive(join(aFile, 'a.tar.zst'), Readable.from([])),
    `There is no folder ${aFile}: make it first.`,
  ],
  ['verify server', () => readFile(import.meta.dirname), `${import.meta.dirname} is a folder: name a file.`],
  [
    'restore server',
    () => readArchive(import.meta.dirname).next(),
    `${import.meta.dirname} is a folder: name the file of a backup.`,
  ],
])('an operator who types "%s" reads what is wrong with the file', async (_typed, work, sentence) => {
  const failed: Promise<unknown> = work()
  expect(await failed.catch(sentenceOf)).toBe(sentence)
})

test('an operator whose server ends because of a file that nobody has named reads the code, the call and the stack', async () => {
  const error: unknown = await readFile('/nowhere/page.html').catch((failure: unknown) => failure)
  expect(errorText(new Error('The start failed.', { cause: error }))).toMatch(
    /^Error: The start failed\.\n\s+at [^]*\ncaused by Error: ENOENT: no such file or directory, open '\/nowhere\/page\.html'/,
  )
})
