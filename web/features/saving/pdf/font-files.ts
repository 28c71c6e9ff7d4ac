/** The font of the text: Latin, Greek, Cyrillic. */
export { default as bodyFile } from '@expo-google-fonts/literata/400Regular/Literata_400Regular.ttf?url'
import { cached } from '#web/lib/cached.ts'
import mathFile from '@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2?url'
import emojiFile from '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf?url'

const files = import.meta.glob<string>(
  [
    '/node_modules/@fontsource-variable/noto-sans-*/files/*-wght-normal.woff2',
    '/node_modules/@fontsource/noto-sans-symbols-2/files/*-{symbols,math,braille}-400-normal.woff2',
    '!**/*-{latin,latin-ext,cyrillic,cyrillic-ext,greek,greek-ext,vietnamese,devanagari-ext}-wght-*',
  ],
  { eager: true, query: '?url', import: 'default', exhaustive: true },
)

/** The code points in each slice of the large fonts. */
const slices = import.meta.glob<Record<string, string>>(
  '/node_modules/@fontsource-variable/noto-sans-{sc,jp,kr}/unicode.json',
  { eager: true, import: 'default', exhaustive: true },
)

/** The font files that may have a letter which the body font lacks, the likely ones first. */
export function filesFor(letter: string, isJapanese: boolean): string[] {
  const large = isJapanese ? ['jp', 'sc', 'kr'] : ['sc', 'jp', 'kr']
  return [
    ...(/\p{Math}/u.test(letter) ? [mathFile] : []),
    ...(/[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\u20e3]/u.test(letter)
      ? [emojiFile]
      : []),
    ...scripts.filter(([, holds]) => holds.test(letter)).map(([name]) => fileOf(name, name)),
    ...large.flatMap((name) => sliceWith(name, letter.codePointAt(0)!)),
    ...(/[\p{S}\p{P}\p{N}]/u.test(letter) ? symbolFiles : []),
  ].filter((file) => file !== undefined)
}

const scripts: [name: string, RegExp][] = [
  ['arabic', /\p{scx=Arabic}/u],
  ['armenian', /\p{scx=Armenian}/u],
  ['bengali', /\p{scx=Bengali}/u],
  ['devanagari', /\p{scx=Devanagari}/u],
  ['ethiopic', /\p{scx=Ethiopic}/u],
  ['georgian', /\p{scx=Georgian}/u],
  ['gujarati', /\p{scx=Gujarati}/u],
  ['gurmukhi', /\p{scx=Gurmukhi}/u],
  ['hebrew', /\p{scx=Hebrew}/u],
  ['kannada', /\p{scx=Kannada}/u],
  ['khmer', /\p{scx=Khmer}/u],
  ['lao', /\p{scx=Lao}/u],
  ['malayalam', /\p{scx=Malayalam}/u],
  ['myanmar', /\p{scx=Myanmar}/u],
  ['oriya', /\p{scx=Oriya}/u],
  ['sinhala', /\p{scx=Sinhala}/u],
  ['tamil', /\p{scx=Tamil}/u],
  ['telugu', /\p{scx=Telugu}/u],
  ['thai', /\p{scx=Thai}/u],
]

const fileOf = (name: string, slice: string): string | undefined =>
  files[
    `/node_modules/@fontsource-variable/noto-sans-${name}/files/noto-sans-${name}-${slice}-wght-normal.woff2`
  ]

const symbolFiles = [
  fileOf('symbols', 'symbols'),
  ...['symbols', 'math', 'braille'].map(
    (slice) =>
      files[
        `/node_modules/@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-${slice}-400-normal.woff2`
      ],
  ),
]

function sliceWith(name: string, letter: number) {
  const slice = slicesOf(name).find(({ from, to }) => from <= letter && letter <= to)?.slice
  return slice === undefined ? [] : [fileOf(name, slice)]
}

interface Range {
  from: number
  to: number
  slice: string
}
const known = new Map<string, Range[]>()

function slicesOf(name: string): Range[] {
  const file = slices[`/node_modules/@fontsource-variable/noto-sans-${name}/unicode.json`] ?? {}
  return cached(known, name, () =>
    Object.entries(file).flatMap(([slice, ranges]) =>
      ranges.split(',').map((range) => rangeOf(range, slice.replace(/[[\]]/g, ''))),
    ),
  )
}

/** `U+4e00` or `U+4e00-4e10`. */
function rangeOf(range: string, slice: string): Range {
  const [from, to = from] = range
    .slice(2)
    .split('-')
    .map((digits) => Number.parseInt(digits, 16)) as [number, number?]
  return { from, to, slice }
}
