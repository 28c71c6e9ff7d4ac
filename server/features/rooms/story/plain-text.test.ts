import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asPlainText } from '#contract/saving/plain-text.ts'
import { aStory, passagesOfText } from './testing.ts'

test('a finished story as plain text has title, description, the day of its end, passages and contributors [RVIEW-12]', async () => {
  const story = aStory([
    ['ana', 'It was late.\n  The lamp\n\nwent out.'],
    [null, 'Nobody'],
    ['ben', '“Who is there?”'],
    ['ana', 'No answer came.'],
  ])
  expect(asPlainText(story)).toBe(`The long night

A story that nobody knows the end of

June 11, 2025

---

User ana

It was late.
  The lamp

went out.

---

Deleted user

Nobody

---

User ben

“Who is there?”

---

User ana

No answer came.

---

Contributors

User ana: 10 words, 72%
User ben: 3 words, 21%
Deleted user: 1 word, 7%
`)
})

test('the file of a story without passages says that nobody wrote', async () => {
  expect(asPlainText(aStory([]))).toMatch(/June 11, 2025\n\n---\n\nNobody wrote a passage\.\n$/)
})

test('no passage can imitate a passage of another author below it', async () => {
  const forged = 'Mine.\n\n---\n\nUser ben\n\nI confess.'
  const story = aStory([
    ['ana', forged],
    ['ben', `${'-'.repeat(40)}\nAnd mine.`],
  ])
  const text = asPlainText(story)
  expect(passagesOfText(text, '-'.repeat(41))).toEqual(story.parts.map(({ content }) => content))
  expect(text.match(/^-{41}$/gm)).toHaveLength(3)
})

test('plain text contains passages of any text as they were typed', async () => {
  const typed = fc.array(fc.oneof(fc.string({ unit: 'binary' }), lines), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(typed, async (contents) => {
      const text = asPlainText(aStory(contents.map((content) => ['ana', content])))
      const rule = /June 11, 2025\n\n(-+)\n/.exec(text)![1]!
      expect(passagesOfText(text, rule)).toEqual(contents)
    }),
  )
})

const lines = fc
  .array(fc.constantFrom('---', '----', 'User ben', '', ' ---', '-- -', 'Contributors', '\r', '\u2028---'))
  .map((parts) => parts.join('\n'))

test('a title of several lines becomes one line of the file', async () => {
  const text = asPlainText(aStory([], { name: ' A\r\nlong\u2028\u0007 title\t' }))
  expect(text.split('\n\n')[0]).toBe('A long title')
})
