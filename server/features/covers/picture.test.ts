import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { mebibyte } from '#server/platform/memory.ts'
import { until } from '#server/testing/stream-client.ts'
import { encodeCover } from './picture.ts'

async function writtenPicture(content: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-covers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'picture')
  await writeFile(path, content)
  return { path, files: () => readdir(folder) }
}

const aPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } })

test('a picture that takes too long is given up, and the next one is encoded [S33 S51]', async () => {
  const { path, files } = await writtenPicture(await aPicture(60, 40).png().toBuffer())
  expect(
    await encodeCover(path, 'png', undefined, { timeMs: 1, memoryBytes: 1536 * mebibyte }),
  ).toBeUndefined()
  expect(await encodeCover(path, 'png')).toMatchObject({ encoding: { width: 60, height: 40 } })
  expect(await files()).toEqual(['picture'])
})

test('pictures are encoded one after the other; four wait, and the next caller is asked to come later [S33 R24]', async () => {
  const { path } = await writtenPicture(await aPicture(60, 40).png().toBuffer())
  const ended = await Promise.allSettled(Array.from({ length: 7 }, () => encodeCover(path, 'png')))
  expect(ended.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'fulfilled'),
    'rejected',
    'rejected',
  ])
  expect(ended[6]).toMatchObject({ reason: { code: 'Unavailable' } })
})

test.runIf(process.platform === 'linux')(
  'a picture gets no more memory than its process may use [S33 R24]',
  async () => {
    const { path } = await writtenPicture(await aPicture(60, 40).png().toBuffer())
    expect(
      await encodeCover(path, 'png', undefined, { timeMs: 20_000, memoryBytes: 400 * mebibyte }),
    ).toBeUndefined()
  },
)

test.runIf(process.platform === 'linux')(
  'a picture that cannot be encoded because of the machine is refused for now, and is not called unreadable [S33 R15]',
  async () => {
    const { path } = await writtenPicture(await aPicture(8000, 6000).jpeg().toBuffer())
    // Linux starts no process with an argument of 200,000 bytes.
    await expect(encodeCover('a'.repeat(200_000), 'jpeg')).rejects.toMatchObject({ code: 'Unavailable' })
    const invalid = { timeMs: 20_000, memoryBytes: Number.NaN }
    await expect(encodeCover(path, 'jpeg', undefined, invalid)).rejects.toMatchObject({ code: 'Unavailable' })
    const [encoding] = await Promise.allSettled([
      encodeCover(path, 'jpeg'),
      // As Linux does when the memory of the machine is used up.
      until(() => findProcess(`encode.ts\0${path}`)).then((id) => process.kill(id, 'SIGKILL')),
    ])
    expect(encoding).toMatchObject({ reason: { code: 'Unavailable' } })
  },
)

/** The id of the process whose command line contains a text. */
async function findProcess(text: string): Promise<number | undefined> {
  for (const name of await readdir('/proc')) {
    const commandLine = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (commandLine.includes(text) && !commandLine.startsWith('/bin/sh')) return Number(name)
  }
  return undefined
}

test('an AVIF of 50 million pixels is encoded [S33]', async () => {
  const { path } = await writtenPicture(await aPicture(8000, 6250).avif({ effort: 0 }).toBuffer())
  expect(await encodeCover(path, 'avif')).toMatchObject({ encoding: { width: 1600, height: 1250 } })
})

test('the process that encodes ends in the middle of its work when the server ends [R2 R17]', async () => {
  const { path } = await writtenPicture(await aPicture(8000, 6000).jpeg().toBuffer())
  const encoding = spawn(process.execPath, [join(import.meta.dirname, 'encode.ts'), path, 'jpeg'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // As the kernel does when the server ends.
  encoding.stdin.destroy()
  const [answer, [, signal]] = await Promise.all([buffer(encoding.stdout), once(encoding, 'exit')])
  expect([answer.length, signal]).toEqual([0, 'SIGKILL'])
})

test('a picture of another format than the one it is read as is unreadable [S33]', async () => {
  const { path } = await writtenPicture(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  )
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const)
    expect(await encodeCover(path, format)).toBeUndefined()
})
