/**
 * The words of a text in any script, in order; close to UAX 29. A word is a run of letters, digits and the marks
 * on them. An apostrophe or a hyphen between two of them does not split the word ("don’t", "well-known"), nor does a dot,
 * comma or colon between digits ("1,000.5", "10:30"). Everything else splits: "and/or" and "stay--gone" are two each.
 * Scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Myanmar) are split by the dictionary of the platform.
 */
export const wordsOf = (text: string): string[] => text.replace(unspacedRun, withSpaces).match(word) ?? []

const withSpaces = (run: string) =>
  ` ${Array.from(segmenter.segment(fullwidth(run)), ({ segment }) => segment).join(' ')} `

/** The platform splits katakana of half width, such as ｶﾞ, twenty times slower than the same letters of full width. */
const fullwidth = (run: string) => (/[\uff65-\uff9f]/.test(run) ? run.normalize('NFKC') : run)

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`
// U+30FC and U+FF70 lengthen the vowel before them, U+200B shows where a word may end.
const unspacedRun = new RegExp(String.raw`[${unspaced}][${unspaced}\p{M}\u30fc\uff70\u200b-\u200d]*`, 'gu')

const letters = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*`
const joiner = String.raw`['’＇\-‐‑·׳״]|(?<=\p{Nd})[.,:](?=\p{Nd})`
const word = new RegExp(`${letters}(?:(?:${joiner})${letters})*`, 'gu')
