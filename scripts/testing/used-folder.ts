import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { makeDataFolder, startServer } from './running-server.ts'

/** Makes a used folder: the data folder of a server that was started once and ended in order. */
export async function makeFolderToCopy(): Promise<string> {
  const dataDir = await makeDataFolder()
  const server = await startServer({ dataDir })
  await server.end('SIGTERM')
  return dataDir
}

/**
 * Makes a copy of a used folder, by default of the one of the journeys (`e2e/global-setup.ts`). The first start in an empty
 * folder, which other tests do, takes twice as long.
 */
export async function copyUsedFolder(usedFolder = process.env.USED_FOLDER!): Promise<string> {
  const dataDir = await makeDataFolder()
  await promisify(execFile)('cp', ['-a', `${usedFolder}/.`, dataDir])
  return dataDir
}
