import { succeeds } from '../scripts/testing/command.ts'
import {
  makeDataFolder,
  removeDataFolder,
  type RunningServer,
  startServer,
  timeZone,
} from '../scripts/testing/running-server.ts'

/** Serves the built page as in production, with the sample posts. */
export async function withSamples<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = await makeDataFolder()
  let server: RunningServer | undefined
  try {
    const place = { DATA_DIR: dataDir, APP_TIME_ZONE: timeZone }
    if (!(await succeeds(process.execPath, ['server/zimmer.ts', 'demo'], place)))
      throw new Error('The samples could not be made.')
    server = await startServer({ dataDir, settings: { NODE_ENV: 'production' } })
    return await work(server.url)
  } finally {
    await server?.end('SIGTERM')
    await removeDataFolder(dataDir)
  }
}
