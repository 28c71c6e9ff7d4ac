import { expect, test } from 'vitest'
import { fileName } from './file-name.ts'

test.each([
  ['The long night', 'The long night.md'],
  ['../../etc/passwd', 'etc passwd.md'],
  ['C:\\boot: "x" <y> a|b?', 'C boot x y a b.md'],
  ['one\r\ntwo\u2028three\tfour\u0007', 'one two three four.md'],
  ['photo\u202efdp.exe', 'photo fdp.exe.md'],
  ['הלילה הארוך', 'הלילה הארוך.md'],
  ['CON', 'CON_.md'],
  ['nul.txt', 'nul_.txt.md'],
  ['Lpt1', 'Lpt1_.md'],
  ['Console', 'Console.md'],
  ['. . .', 'text.md'],
  ['\u200b', 'text.md'],
  ['', 'text.md'],
])('a text with the title %j is saved under a name that every system takes: %s [OWN-08]', (title, name) => {
  expect(fileName(title, 'text', 'md')).toBe(name)
})

test.each(['a', 'ä', '月', '🌊', '👩‍👩‍👧'])(
  'a text with a title of 200 times “%s” is saved under a name of less than 255 bytes [OWN-08]',
  (letter) => {
    const name = fileName(letter.repeat(200), 'text', 'epub')
    expect(unescape(encodeURIComponent(name)).length).toBeLessThan(255)
    expect(name).toMatch(/…\.epub$/)
  },
)
