import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSync } from 'fontkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { accents } from '#contract/instance/accents.ts'
import { longestTurnOf } from '#server/testing/loop-turns.ts'
import {
  belowStyle,
  colours,
  drawMarkup,
  drawPicture,
  drawText,
  height,
  margin,
  titleStyles,
  width,
} from './picture.ts'
import { previewOfPost } from './preview.ts'

const valuesOf = (colour: string) => [...Buffer.from(colour.slice(1), 'hex')]
const { lamp: accent } = accents.lamp.day
const [paper, lamp] = [valuesOf(colours.paper), valuesOf(accent)]

test('the pictures have the colours of the page by day [PUB-10]', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../../web/styles/tokens.css'), 'utf8')
  for (const [name, value] of Object.entries(colours))
    expect(tokens).toContain(`--${name}: light-dark(${value}, `)
})

/** The part of a picture that is not paper. */
async function inkOf(png: Buffer, part = { left: 0, top: 10, width, height: 480 }) {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .extract(part)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const ink = { left: Infinity, right: -1, top: Infinity, bottom: -1 }
  for (let y = 0; y < info.height; y++)
    for (let x = 0; x < info.width; x++) {
      const at = 3 * (y * info.width + x)
      if (paper.every((value, n) => data[at + n] === value)) continue
      ink.left = Math.min(ink.left, part.left + x)
      ink.right = Math.max(ink.right, part.left + x + 1)
      ink.top = Math.min(ink.top, part.top + y)
      ink.bottom = Math.max(ink.bottom, part.top + y + 1)
    }
  return ink
}

const draw = (title: string, below = '') => drawPicture({ title, below, lamp: accent })
const widthOf = async (title: string) => {
  const { left, right } = await inkOf(await draw(title))
  return right - left
}

test('a preview picture is a PNG of 1200 × 630 with title, author and wordmark [PUB-10]', async () => {
  const png = await draw('The lamp', 'Ana Lima')
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  const bare = await inkOf(await draw('The lamp'))
  const both = await inkOf(png)
  expect(both.bottom).toBeGreaterThan(bare.bottom)
  const wordmark = { left: 0, top: 520, width, height: 110 }
  const { left, right, top, bottom } = await inkOf(png, wordmark)
  expect(left).toBeGreaterThanOrEqual(margin - 2)
  const pixels = await sharp(png)
    .removeAlpha()
    .extract({ left, top, width: right - left, height: bottom - top })
    .raw()
    .toBuffer()
  const isLamp = (_value: number, n: number) =>
    n % 3 === 0 && lamp.every((value, c) => pixels[n + c] === value)
  expect(pixels.some(isLamp)).toBe(true)
})

test('a title in a script from right to left stands at the right edge, and another one at the left edge [PUB-10]', async () => {
  for (const title of ['הלילה הארוך', 'الليلة الطويلة', '«הלילה» in Paris']) {
    const { left, right } = await inkOf(await draw(title, 'Ana'))
    expect([title, right > width - margin - 12 && right <= width - margin + 12]).toEqual([title, true])
    expect(left).toBeGreaterThan(width / 4)
  }
  const { left, right } = await inkOf(await draw('The night of שלום', 'Ana'))
  expect(Math.abs(left - margin)).toBeLessThan(12)
  expect(right).toBeLessThan(width - margin)
})

/** A word of each script that a title can be written in. */
const words =
  'lamp лампа λάμπα Հայերեն ქართული שלום مرحبا नमस्ते বাংলা ਰਾਤ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ไทย ລາວ မြန်မာ ភាសា አማርኛ 한국어 长夜 漫長 夜は長い ナイト 🌊👩❤'.split(
    ' ',
  )

const fonts = Array.from(
  readFileSync(join(import.meta.dirname, 'fonts.conf'), 'utf8').matchAll(
    /<dir prefix="relative">(.*)<\/dir>/g,
  ),
  ([, path]) => join(import.meta.dirname, path!),
).flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(ttf|otf)$/.test(name))
    .map((name) => openSync(join(folder, name))),
)

test.each(words)('the word %s is drawn in a font that has its letters [PUB-10]', async (word) => {
  const letters = Array.from(word, (letter) => letter.codePointAt(0)!)
  const widths = fonts
    .filter((font) => letters.every((letter) => font.hasGlyphForCodePoint(letter)))
    .map((font) => (72 * font.layout(word).advanceWidth) / font.unitsPerEm)
  // A letter without a font is drawn as a box with its number.
  const drawn = await widthOf(word)
  expect(widths.map((each) => Math.abs(each - drawn) / drawn).toSorted((a, b) => a - b)[0]).toBeLessThan(0.1)
})

test('markup in a title is drawn as it was typed [PUB-11]', async () => {
  expect(await widthOf('<b>lamp</b>')).toBeGreaterThan((await widthOf('lamp')) + 100)
  expect(await widthOf('&lt;')).toBeGreaterThan((await widthOf('<')) + 50)
  expect(await widthOf('<span size="1">lamp')).toBeGreaterThan(await widthOf('lamp'))
})

const hostile: Record<string, string> = {
  'one word of 50,000 letters': 'W'.repeat(50_000),
  '50,000 letters with spaces': 'Wide words '.repeat(4500),
  '50,000 Chinese letters': '長夜'.repeat(25_000),
  '30 marks on each letter': `a${'\u0301\u0323'.repeat(15)}`.repeat(1600),
  'marks alone': '\u0301'.repeat(30),
  'tall marks': 'ཧཱུྃ꣠'.repeat(500),
  'bidi controls': '\u202e\u2066a\u2067ב\u202c'.repeat(5000),
  'mixed directions': 'abc אבג 123 '.repeat(4000),
  tags: '<span font="200" rise="90000">x</span>'.repeat(1000),
  'unclosed tags': '<b><i><span'.repeat(1000),
  entities: '&amp;&#0;&#x1;&lt;&nbsp;&'.repeat(1000),
  'ends of CDATA': ']]><!--]]>-->'.repeat(1000),
  'half characters': '\ud83c\udc00\ud800'.repeat(5000),
  'controls and NUL': '\0\u0007\u001b[31m'.repeat(5000),
  noncharacters: 'a\ufffe\uffff\u{1fffe}'.repeat(5000),
  'private and unassigned characters': '\ue000\u0378\u{10fffd}'.repeat(5000),
  'joined emoji': '👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🇩🇪1️⃣'.repeat(1000),
  joiners: 'a\u200d'.repeat(20_000),
  'signs that show nothing': '\u3164\u115f\ufe0f\u2800'.repeat(5000),
  'variation selectors': `a${'\ufe0f'.repeat(40_000)}`,
  'long ligatures': '\ufdfd'.repeat(5000),
  'cuneiform without a font': '\u{1242b}'.repeat(5000),
  'line ends': 'a\r\n\u2028\u2029\u0085'.repeat(5000),
  'nothing at all': '',
}

test.each(Object.entries(hostile))(
  'a hostile title and author stay inside the margins of the picture: %s [PUB-10 PUB-11 S51]',
  async (_what, text) => {
    let png: Buffer = Buffer.alloc(0)
    const draw = async () => {
      png = await drawPicture({ ...previewOfPost({ content: text, authorName: text }), lamp: accent })
    }
    expect(await longestTurnOf(draw, 50)).toBeLessThan(50)
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width, height })
    const { left, right, top, bottom } = await inkOf(png)
    if (right === -1) return
    // Some letters reach a little over the edge of their line.
    expect(left).toBeGreaterThanOrEqual(margin - 24)
    expect(right).toBeLessThanOrEqual(width - margin + 24)
    expect(top).toBeGreaterThanOrEqual(20)
    expect(bottom).toBeLessThan(490)
  },
)

test.each([
  ['families of joined emoji', '👩‍👩‍👧‍👦'.repeat(1000)],
  ['kisses of joined emoji with skin tones', '🧑🏿‍❤️‍💋‍🧑🏾'.repeat(1000)],
  ['1,000 marks on each letter', `a${'\u0301\u0323'.repeat(500)}`.repeat(400)],
  ['tall letters', 'ཧཱུྃ꣠'.repeat(500)],
  ['wide letters', 'W'.repeat(5000)],
  ['Chinese letters', '長夜'.repeat(900)],
  ['joined letters of Arabic', 'الليلةالطويلة'.repeat(300)],
  ['many words', 'Wide words '.repeat(450)],
])('a text of %s is drawn at most five times, and then fits [PUB-10 S58]', async (_what, text) => {
  const { title, below } = previewOfPost({ content: text, authorName: text })
  for (const [line, styles, maxHeight] of [
    [title, titleStyles, 291],
    [below, [belowStyle], 91],
  ] as const) {
    let draws = 0
    const drawn = await drawText(line, styles, (...order) => {
      draws++
      return drawMarkup(...order)
    })
    expect(draws).toBeLessThanOrEqual(5)
    expect(drawn!.info.height).toBeLessThanOrEqual(maxHeight)
    // A shortened text still fills its lines.
    expect(drawn!.info.height).toBeGreaterThan(maxHeight / 5)
  }
})

test.each([
  ['conjuncts', 'क्'.repeat(30)],
  ['joined emoji', '👩‍'.repeat(20)],
  ['letters of one syllable', '\u1100'.repeat(60)],
])('%s that no line break can separate are drawn smaller [PUB-10]', async (_what, cluster) => {
  const { left, right } = await inkOf(await draw(cluster.repeat(4), cluster.repeat(8)))
  expect(left).toBeGreaterThan(0)
  expect(right).toBeLessThanOrEqual(width)
})
