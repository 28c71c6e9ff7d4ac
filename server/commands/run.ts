import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { misspeltSettings } from '#server/misspelt-settings.ts'
import { applyOption } from './commands.ts'
import { exitCodes, findCommand, helpOf, overview, parseCommand, program, WrongUse } from './help.ts'
import { requireDatabase } from './place.ts'
import { errorText, sentenceOf } from '#server/platform/describe-error.ts'

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())
process.on('uncaughtException', (error) => {
  console.error(errorText(error))
  process.exit(exitCodes.failed)
})

try {
  console.log(await run())
} catch (error) {
  const isInterrupted = interruption.signal.aborted
  console.error(isInterrupted ? 'Interrupted.' : sentenceOf(error))
  process.exitCode = error instanceof WrongUse ? exitCodes.wrongUse : exitCodes.failed
  // Aborted work may still run: do not wait for it.
  if (isInterrupted) process.exit()
}

async function run(): Promise<string> {
  const { words, wantsHelp } = readWords()
  if (wantsHelp) return words.length === 0 ? overview() : helpOf(findCommand(words))
  if (words.length === 0) throw new WrongUse(overview())
  const { command, given } = parseCommand(words)
  for (const sentence of misspeltSettings(process.env)) console.error(sentence)
  const config = readConfig({ ...(command.reads !== 'none' && process.env), LOG_LEVEL: 'error' })
  if (!command.needsNoDatabase) await requireDatabase(config, interruption.signal)
  return command.run(config, given, interruption.signal)
}

/** `help` before the name of a command, and `--help` anywhere, ask for help. */
function readWords() {
  const options = { help: { type: 'boolean', short: 'h' }, apply: { type: 'boolean' } } as const
  const { positionals, values, tokens } = parseArgs({
    allowPositionals: true,
    options,
    strict: false,
    tokens: true,
  })
  for (const token of tokens)
    if (token.kind === 'option' && (!Object.hasOwn(options, token.name) || token.inlineValue))
      throw new WrongUse(
        `There is no option "${process.argv[token.index + 2]}". "${program} help COMMAND" explains a command.`,
      )
  const isHelp = positionals[0] === 'help'
  const words = isHelp ? positionals.slice(1) : positionals
  if (values.apply) words.push(applyOption)
  return { words, wantsHelp: isHelp || values.help === true }
}
