import { expect, test } from 'vitest'
import { previewOfPerson, previewOfPost, previewOfStory } from './preview.ts'

const titleOf = (content: string) => previewOfPost({ content, authorName: 'Ana' }).title

test.each([
  ['its title', 'The lamp\n\nIt was late.', 'The lamp'],
  ['the first line of a text without a title', '\n \n It was late.\nThe lamp', 'It was late.'],
  ['spaces for tabs and line separators', 'The\tlamp\u2028burns', 'The lamp burns'],
  ['no controls', 'The\u0007 lamp\u001b[0m', 'The lamp [0m'],
  ['no characters that turn the direction', '\u202eThe \u2067lamp\u200f', 'The lamp'],
  ['at most four marks on a letter', `a${'\u0323'.repeat(30)}b`, `a${'\u0323'.repeat(4)}b`],
  ['the replacement character for a syllable of 500 letters', `a${'\u1100'.repeat(500)} b`, 'a\ufffd b'],
  ['the replacement character for half a character', 'a\ud83cb', 'a\ufffdb'],
  ['markup as it was typed', '<b>&amp;</b> ]]> <!-- -->', '<b>&amp;</b> ]]> <!-- -->'],
  ['joined emoji as they were typed', '👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️', '👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️'],
])('the preview of a post has %s [PUB-10 PUB-11]', (_what, content, title) => {
  expect(titleOf(content)).toBe(title)
})

test.each([
  ['after a word', 'word '.repeat(10_000), /^(word ){19}word…$/],
  ['inside a long word', 'W'.repeat(50_000), /^W{100}…$/],
  ['not inside an emoji', '👩‍👩‍👧'.repeat(10_000), /^(👩‍👩‍👧){90,100}…$/u],
])('the title of a text of 50,000 characters is cut %s [PUB-10]', (_what, content, title) => {
  expect(titleOf(content)).toMatch(title)
})

test.each([
  [0, 'A story'],
  [1, 'A story by 1 person'],
  [7, 'A story by 7 people'],
])('the preview of a story by %i people says so [PUB-10]', (contributorCount, below) => {
  expect(previewOfStory({ name: 'The long night', contributorCount })).toEqual({
    title: 'The long night',
    below,
  })
})

test('the preview of a person has the name and the beginning of the introduction [PUB-10]', () => {
  const introduction = `I write.\nPoems ${'and stories '.repeat(30)}`
  const { title, below } = previewOfPerson({ name: 'Ana Lima', introduction })
  expect([title, below]).toEqual(['Ana Lima', expect.stringMatching(/^I write\. Poems and .*…$/)])
})
