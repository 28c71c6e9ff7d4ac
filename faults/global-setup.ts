import type { TestProject } from 'vitest/node'
import { removeDataFolder } from '../scripts/testing/running-server.ts'
import { makeFolderToCopy } from '../scripts/testing/used-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The data folder of a server that was started once and ended in order. */
    usedFolder: string
  }
}

export default async function setup(project: TestProject) {
  const usedFolder = await makeFolderToCopy()
  project.provide('usedFolder', usedFolder)
  return () => removeDataFolder(usedFolder)
}
