import { expect, test } from 'vitest'
import { asMarkdown } from '#contract/saving/markdown.ts'
import { aStory, passagesOfText } from './testing.ts'

const written = async (content: string) => passagesOfText(asMarkdown(aStory([['ana', content]])), '---')[0]

test('a finished story as Markdown has title, description, the day of its end, passages and contributors [RVIEW-12]', async () => {
  const story = aStory([
    ['ana', 'It was *late*.\n  The lamp\n\nwent out.'],
    [null, '> Nobody'],
  ])
  expect(asMarkdown(story)).toBe(`# The long night

A story that nobody knows the end of

*June 11, 2025*

---

**User ana**

It was *late*.
  The lamp

went out.

---

**Deleted user**

> Nobody

---

## Contributors

- User ana: 7 words, 88%
- Deleted user: 1 word, 12%
`)
})

test('the Markdown of a story without passages says that nobody wrote', async () => {
  expect(asMarkdown(aStory([]))).toMatch(/\n\n---\n\nNobody wrote a passage\.\n$/)
})

test.each([
  ['emphasis', 'so *very* **dark** and __cold__ ~~warm~~ `x`'],
  ['lists and quotes', '- one\n- two\n1. three\n> said\n* four'],
  ['indented verse', '    far in\n\tfurther'],
  ['links', 'see [here](https://example.org) or https://example.org, <https://example.org>'],
  ['marks inside lines', '#1 of 3 - 2 < 5 > 4, a <3, {x}: [y] | z & &amp; \\ $5 -- – ---x ==='],
  ['dashes of dialogue', '— Who?\n-- I.\n…\n- - x'],
  ['white space', '\n\n  a  \n\n\n b\t\n'],
  ['marks that are already escaped', '\\# one \\<b> \\\\\\<i>\n\\---'],
])('%s of a passage are written to Markdown as they were typed', async (_what, content) => {
  expect(await written(content)).toBe(content)
})

test.each([
  ['a heading', '# Chapter\n  ### 2\n#', '\\# Chapter\n  \\### 2\n\\#'],
  ['an underlined heading', 'One\n===\nTwo\n--\nThree\n-', 'One\n\\===\nTwo\n\\--\nThree\n\\-'],
  ['a rule', '---\n * * *\n_ _\t_ \n****', '\\---\n \\* * *\n\\_ _\t_ \n\\****'],
  ['a fence', '```js\nx\n~~~~\r```', '\\```js\nx\n\\~~~~\r\\```'],
  ['HTML', 'a <b>b</b> <!-- <?php <div', 'a \\<b>b\\</b> \\<!-- \\<?php \\<div'],
  ['HTML after backslashes', '\\\\<b> \\\\\\\\</b>', '\\\\\\<b> \\\\\\\\\\</b>'],
  ['a definition', '[one]: /x "y"\n[^2]: note', '[one\\]: /x "y"\n\\[^2\\]: note'],
  ['a footnote', 'so [^1]\n- [^1]: x', 'so \\[^1]\n- \\[^1\\]: x'],
])('%s in a passage stays a part of that passage', async (_what, content, shown) => {
  expect(await written(content)).toBe(shown)
})

test('no passage can imitate a passage of another author below it in Markdown', async () => {
  const forged = 'Mine.\n\n---\n\n**User ben**\n\nI confess.'
  const parts = asMarkdown(aStory([['ana', forged]])).split('\n\n---\n\n')
  expect(parts).toHaveLength(3)
  expect(parts[1]).toBe('**User ana**\n\nMine.\n\n\\---\n\n**User ben**\n\nI confess.')
})

test('marks in a title or a name are shown as characters', async () => {
  const name = 'A *bold* [link](x) <b> `code` & more #'
  expect(asMarkdown(aStory([], { name })).split('\n')[0]).toBe(
    '# A \\*bold\\* \\[link\\](x) \\<b\\> \\`code\\` \\& more \\#',
  )
  const story = { ...aStory([]), parts: [{ heading: '**A** _b_', content: 'x' }] }
  expect(asMarkdown(story)).toContain('\n\n**\\*\\*A\\*\\* \\_b\\_**\n\n')
})

test.each(['\\', '<', '- ', '-\t', '#', '`', '[', ']:', ' ', '* '])(
  'a passage of 5,000 times “%s” is written without a long search',
  async (mark) => {
    const content = `${mark.repeat(5000 / mark.length)}x`
    const passages = Array.from({ length: 200 }, (): [string, string] => ['ana', content])
    expect(asMarkdown(aStory(passages)).match(/\*\*User ana\*\*/g)).toHaveLength(200)
  },
)
