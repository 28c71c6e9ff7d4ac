import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { helpOf, parseCommand, WrongUse } from './help.ts'

test.each([
  ['bakup x', 'There is no command "bakup x". Did you mean "backup"?'],
  ['admin grnt ana@example.org', 'There is no command "admin grnt". Did you mean "admin grant"?'],
  ['admin', 'Did you mean "admin grant" or "admin revoke"?'],
  ['xyzzy', 'There is no command "xyzzy". "npm run zimmer -- help" lists all commands.'],
  ['backup', '"backup" takes one argument. Use: npm run zimmer -- backup FILE'],
  ['backup one two', '"backup" takes one argument. Use: npm run zimmer -- backup FILE'],
  ['export ana@example.org', '"export" takes two arguments. Use: npm run zimmer -- export EMAIL FILE'],
  [
    'import ana@example.org',
    '"import" takes two arguments. Use: npm run zimmer -- import EMAIL FILE [--apply]',
  ],
  ['backup one --apply', '"backup" takes one argument. Use: npm run zimmer -- backup FILE'],
  ['doctor now', '"doctor" takes no argument. Use: npm run zimmer -- doctor'],
])('an operator who types "%s" reads how it is used', (typed, sentence) => {
  const parse = () => parseCommand(typed.split(' '))
  expect(parse).toThrow(WrongUse)
  expect(parse).toThrow(sentence)
})

test('an operator applies an import by its option, and previews it without the option', () => {
  const given = (typed: string) => parseCommand(typed.split(' ')).given
  expect(given('import ana@example.org a.zip')).toEqual(['ana@example.org', 'a.zip'])
  expect(given('import ana@example.org a.zip --apply')).toEqual(['ana@example.org', 'a.zip', '--apply'])
})

test('the help of a command stands alone, and that of "verify" names no setting', () => {
  for (const command of commands) expect(helpOf(command)).not.toContain('see below')
  const verify = commands.find(({ name }) => name === 'verify')!
  expect(helpOf(verify)).toContain('It reads no settings.')
  expect(helpOf(verify)).not.toContain('DATABASE_URL')
})

test('the README names every command', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const row = readme.split('\n').find((line) => line.startsWith('| `npm run zimmer'))!
  const missing = commands.filter(({ name }) => !new RegExp(`\`${name}[ \`]`).test(row))
  expect(missing.map(({ name }) => name)).toEqual([])
})
