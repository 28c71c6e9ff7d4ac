import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { commands } from './commands/commands.ts'
import { errorText, sentenceOf } from './platform/describe-error.ts'

const usage = `npm run zimmer -- COMMAND

  admin grant EMAIL     makes a registered person an admin
  admin revoke EMAIL    takes that right away
  user delete EMAIL     deletes an account as its owner would
  password EMAIL        sets a password, typed unseen or read from standard input, and ends all sessions
  backup FILE           writes database and uploads into one file, beside a running server too
  restore FILE          fills an empty place from it
  demo                  fills an empty instance with sample people and posts
  diary-key             seals diary and calendar anew: DIARY_KEY is the key in use, DIARY_KEY_NEW the new one
  time-zone ZONE        counts all days anew in another time zone, while no server runs
  migrate               brings the database to this version
  doctor                checks the installation and says what is wrong`

const { positionals } = parseArgs({ allowPositionals: true, strict: false })

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())
process.on('uncaughtException', (error) => {
  console.error(errorText(error))
  process.exit(1)
})

try {
  await run()
} catch (error) {
  const isCut = interruption.signal.aborted
  console.error(isCut ? 'Interrupted.' : sentenceOf(error))
  process.exitCode = 1
  // Work that was cut off may go on, and nobody waits for it.
  if (isCut) process.exit()
}

async function run() {
  const words = positionals.map(String)
  const command = commands.find(({ name, takes }) => {
    const named = name.split(' ')
    return named.every((word, i) => words[i] === word) && words.length === named.length + takes
  })
  if (command === undefined) throw new ConfigError(usage)
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error' })
  console.log(await command.run(config, words.at(-1) ?? '', interruption.signal))
}
