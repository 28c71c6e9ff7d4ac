import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { connect, type Place } from './commands/place.ts'
import { commands } from './commands/commands.ts'

const usage = `npm run zimmer -- COMMAND

  admin grant EMAIL     makes a registered person an admin
  admin revoke EMAIL    takes that right away
  user delete EMAIL     deletes an account as its owner would
  demo                  fills an empty instance with sample people and posts
  migrate               brings the database to this version
  doctor                checks the installation and says what is wrong`

const { positionals } = parseArgs({ allowPositionals: true, strict: false })

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function run() {
  const words = positionals.map(String)
  const command = commands.find(({ name, takes }) => {
    const named = name.split(' ')
    return named.every((word, i) => words[i] === word) && words.length === named.length + takes
  })
  if (command === undefined) throw new ConfigError(usage)
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error' })
  await connect(config, async (place: Place) => {
    console.log(await command.run(place, words.at(-1) ?? ''))
  })
}
