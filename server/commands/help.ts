import { settings } from '#server/config.ts'
import { editDistance } from '#server/platform/edit-distance.ts'
import { applyOption, type Command, commands } from './commands.ts'

/** The command line is wrong; the message names the right use. */
export class WrongUse extends Error {
  override name = 'WrongUse'
}

export const exitCodes = { done: 0, failed: 1, wrongUse: 2 } as const

const argumentsOf = ['no argument', 'one argument', 'two arguments']

export const program = 'npm run zimmer --'

const usageOf = ({ name, argument }: Command) => [name, argument].filter(Boolean).join(' ')

/** All commands, one a line. */
export function overview(): string {
  const uses = commands.map(usageOf)
  const width = Math.max(...uses.map(({ length }) => length))
  const lines = commands.map(({ does }, i) => `  ${uses[i]!.padEnd(width)}  ${does}`)
  return [
    `${program} COMMAND`,
    '',
    ...lines,
    `  ${'help COMMAND'.padEnd(width)}  explains a command`,
    '',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong use.',
  ].join('\n')
}

export function helpOf(command: Command): string {
  const { does, details, besideServer, examples, reads = [] } = command
  const names = reads === 'none' ? [] : (['dataDir', 'databaseUrl', ...reads] as const)
  const read = names.map((name) => settings[name])
  const width = Math.max(...read.map(({ variable }) => variable.length))
  return [
    `${program} ${usageOf(command)}`,
    '',
    `It ${does}. ${details}`,
    '',
    `Beside a running server: ${besideServer}.`,
    '',
    read.length > 0 ? 'Settings it reads:' : 'It reads no settings.',
    ...read.map(({ variable, description }) => `  ${variable.padEnd(width)}  ${description}`),
    '',
    'Examples:',
    ...examples.map((example) => `  ${program} ${example}`),
    '',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong use.',
  ].join('\n')
}

/** The command that these words name, with its arguments. */
export function parseCommand(words: string[]): { command: Command; given: string[] } {
  const command = findCommand(words)
  const given = words.slice(command.name.split(' ').length)
  const names = command.argument?.split(' ') ?? []
  const takesOption = names.includes(`[${applyOption}]`)
  const takes = names.filter((name) => !name.startsWith('[')).length
  const mayTake = takes + names.filter((name) => name.startsWith('[') && name !== `[${applyOption}]`).length
  const hasOption = takesOption && given.at(-1) === applyOption
  const count = given.length - (hasOption ? 1 : 0)
  if (count < takes || count > mayTake)
    throw new WrongUse(`"${command.name}" takes ${argumentsOf[takes]}. Use: ${program} ${usageOf(command)}`)
  return { command, given }
}

/** The command whose name these words begin with. */
export function findCommand(words: string[]): Command {
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))
  if (command !== undefined) return command
  const near = nearestNames(words)
  const hint = near.length > 0 ? `Did you mean "${near.join('" or "')}"? ` : ''
  throw new WrongUse(
    `There is no command "${words.slice(0, 2).join(' ')}". ${hint}"${program} help" lists all commands.`,
  )
}

/** Names that begin with the words, or else differ in a third of their letters at most. */
function nearestNames(words: string[]): string[] {
  const distances = commands.map(({ name }) => {
    const typed = words.slice(0, name.split(' ').length).join(' ')
    const isBeginning = typed !== '' && name.startsWith(typed)
    return { name, distance: isBeginning ? 0 : editDistance(typed, name) / name.length }
  })
  const least = Math.min(...distances.map(({ distance }) => distance))
  return least > 1 / 3 ? [] : distances.filter(({ distance }) => distance === least).map(({ name }) => name)
}
