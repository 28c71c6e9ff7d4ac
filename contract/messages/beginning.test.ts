import { expect, test } from 'vitest'
import { beginningOfMessage } from './beginning.ts'

const family = '👨‍👩‍👧‍👦'
const marked = 'e\u0301'

test.each([
  ['a short text', 'Good evening', 'Good evening'],
  ['lines', '  Dear Ben,\r\n\r\nthe sea\tis near.\n', 'Dear Ben, the sea is near.'],
  ['a text as long as the bound', 'a'.repeat(120), 'a'.repeat(120)],
  ['a longer text', 'a'.repeat(121), `${'a'.repeat(120)}…`],
  ['a long text that is cut after a word', `${'a'.repeat(119)} and more`, `${'a'.repeat(119)}…`],
  ['a letter of two characters at the end', `${'a'.repeat(119)}${marked}bc`, `${'a'.repeat(119)}…`],
  ['a family of several people at the end', `${'a'.repeat(115)}${family}${family}`, `${'a'.repeat(115)}…`],
  ['families alone', family.repeat(20), `${family.repeat(10)}…`],
  ['a flag at the end', `${'a'.repeat(118)}🇩🇪🇩🇪`, `${'a'.repeat(118)}…`],
  ['one letter that is longer than the bound', `e${'\u0301'.repeat(200)}`, '…'],
])('the beginning of %s cuts no letter in two [LOOP-26]', (_what, text, beginning) => {
  expect(beginningOfMessage(text)).toBe(beginning)
})
