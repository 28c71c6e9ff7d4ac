// Refuses what a start would refuse at once. `npm start` runs it before it builds the page, which takes long.
import { readConfig } from './config.ts'
import { makeDataFolder } from './platform/database/data-folder.ts'
import { sentenceOf } from './platform/describe-error.ts'
import { checkHost } from './platform/http/listen.ts'

try {
  const { dataDir, host, port } = readConfig(process.env)
  await makeDataFolder(dataDir)
  await checkHost(host, port)
} catch (error) {
  console.error(sentenceOf(error))
  process.exitCode = 1
}
