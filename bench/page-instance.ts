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

/** The path of the newest public article. */
export async function articleOf(url: string): Promise<string> {
  const { items } = (await (await fetch(`${url}/feed.json`)).json()) as { items: { url: string }[] }
  return new URL(items[0]!.url).pathname
}
