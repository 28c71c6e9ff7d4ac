import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-data-folder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a data folder is made with its parents, and one that exists is kept', async () => {
  const dataDir = join(await ownFolder(), 'lib/zimmer')
  await makeDataFolder(dataDir)
  await writeFile(join(dataDir, 'kept'), '')
  await makeDataFolder(dataDir)
  expect(await readdir(dataDir)).toEqual(['kept'])
})

test('an operator whose data folder cannot be used or made reads why, and nothing is made [R16]', async () => {
  const folder = await ownFolder()
  await writeFile(join(folder, 'file'), 'kept')
  await symlink(join(folder, 'gone'), join(folder, 'link'))
  for (const [dataDir, reason] of [
    [`${folder}/file`, `${folder}/file is a file, not a folder`],
    [`${folder}/file/data`, `a part of ${folder}/file/data is a file, not a folder`],
    [`${folder}/link`, `the folder ${folder}/link cannot be made (`],
    ['/proc/zimmer', 'the folder /proc/zimmer cannot be made ('],
  ] as const)
    await expect(makeDataFolder(dataDir)).rejects.toThrow(`The setting DATA_DIR is not usable: ${reason}`)
  expect(await readdir(folder)).toEqual(['file', 'link'])
})
