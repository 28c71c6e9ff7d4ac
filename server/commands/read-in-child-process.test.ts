import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readInChildProcess } from './read-in-child-process.ts'

async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-import-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
const read = (path: string, heapMb?: number) => readInChildProcess(path, new AbortController().signal, heapMb)

test('an operator imports a folder with its folders; a link in it leads nowhere [OWN-23]', async () => {
  const [folder, elsewhere] = [await aFolder(), await aFolder()]
  await mkdir(join(folder, '2019'))
  await writeFile(join(folder, '2019', '2019-06-10.md'), 'Rain')
  await writeFile(join(elsewhere, '2019-06-11.md'), 'A secret')
  await symlink(join(elsewhere, '2019-06-11.md'), join(folder, '2019-06-11.md'))
  await symlink(elsewhere, join(folder, 'linked'))
  const { format, entries } = await read(folder)
  expect(format).toBe('markdown')
  expect(entries).toEqual([
    {
      kind: 'day',
      of: 'diary',
      day: '2019-06-10',
      time: null,
      text: 'Rain',
      place: '2019/2019-06-10.md',
    },
  ])
})

test('an operator imports a file, and reads one sentence about a file that is missing or that nobody knows [OWN-23]', async () => {
  const folder = await aFolder()
  const file = join(folder, '2019-06-10.md')
  await writeFile(file, 'Rain')
  expect((await read(file)).entries).toHaveLength(1)
  await expect(read(join(folder, 'missing.zip'))).rejects.toThrow(/missing\.zip/)
  await writeFile(join(folder, 'song.mp3'), 'la la')
  await expect(read(join(folder, 'song.mp3'))).rejects.toThrow(/^[A-Z].*\.$/)
})

test('a folder that takes more memory than an import has ends its own process alone [OWN-23 S58]', async () => {
  const folder = await aFolder()
  const month = 'Rain, and rain. '.repeat(60_000)
  for (let n = 10; n < 31; n++) await writeFile(join(folder, `2019-06-${n}.md`), month)
  await expect(read(folder, 20)).rejects.toThrow('it may need more memory than an import has.')
})

test('an operator interrupts the reading of a file [OWN-23]', async () => {
  const folder = await aFolder()
  const file = join(folder, '2019-06-10.md')
  await writeFile(file, 'Rain')
  const interruption = new AbortController()
  const reading = readInChildProcess(file, interruption.signal)
  interruption.abort()
  await expect(reading).rejects.toThrow(/could not be read/)
})
