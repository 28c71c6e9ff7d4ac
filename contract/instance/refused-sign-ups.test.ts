import { expect, test } from 'vitest'
import { readRefusedEmails, refusedEmailError } from './refused-sign-ups.ts'

test.each<[line: string, email: string, isRefused: boolean]>([
  ['example.org', 'ana@example.org', true],
  ['Example.ORG', 'ana@example.org', true],
  ['example.org', 'ana@mail.example.org', true],
  ['example.org', 'ana@notexample.org', false],
  ['example.org', 'ana@example.org.evil.com', false],
  ['mail.example.org', 'ana@example.org', false],
  ['ana@example.org', 'ana@example.org', true],
  ['Ana@example.org', 'ana@example.org', true],
  ['ana@example.org', 'ana+news@example.org', true],
  ['ana+news@example.org', 'ana@example.org', false],
  ['ana@example.org', 'ben@example.org', false],
  ['ana@example.org', 'ana@mail.example.org', false],
  ['ben@example.org\n\n example.net ', 'ana@example.net', true],
  ['', 'ana@example.org', false],
])('the list %j and the address %s: refused is %j [INST-06]', (list, email, isRefused) => {
  expect(readRefusedEmails(list)(email)).toBe(isRefused)
})

test.each<[line: string, isRight: boolean]>([
  ['example.org', true],
  ['xn--bcher-kva.example', true],
  ['ana@example.org', true],
  ['org', false],
  ['@example.org', false],
  ['*.example.org', false],
  ['https://example.org', false],
  ['two words.org', false],
  ['bücher.example', false],
])('the line %j: right is %j [INST-06]', (line, isRight) => {
  expect(refusedEmailError(line) === undefined).toBe(isRight)
})
