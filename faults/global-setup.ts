import type { TestProject } from 'vitest/node'
import { makeDataFolder, removeDataFolder, startServer } from '../scripts/testing/running-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The data folder of a server that was started once and ended in order. */
    usedFolder: string
  }
}

export default async function setup(project: TestProject) {
  const usedFolder = await makeDataFolder()
  const server = await startServer({ dataDir: usedFolder })
  await server.end('SIGTERM')
  project.provide('usedFolder', usedFolder)
  return () => removeDataFolder(usedFolder)
}
