// @vitest-environment node
import { expect, test } from 'vitest'
import { paperDate } from '#contract/diary/dates.ts'
import { makePdf } from './make-pdf.ts'
import { hasPdftotext, loadFont, realDiary, textOf } from './testing.ts'

const nothing = () => {}
const diary = 'My Diary'
const oneDay = (content: string) => [{ heading: paperDate('2025-06-10'), content }]
const withoutSpace = (text: string) => text.replace(/[\s\u202a-\u202e\u200e\u200f]/g, '')

test('a writer opens the file and reads the title, each date and its text [DIARY-39 DIARY-40 DIARY-29 DIARY-32]', async ({
  skip,
}) => {
  skip(!hasPdftotext, 'pdftotext is not installed')
  const { file, placeholders } = await makePdf(
    diary,
    [...oneDay('A first day.\n\n  Two lines of it.'), { heading: 'some day', content: 'Another day.' }],
    loadFont,
    nothing,
  )
  expect(file.type).toBe('application/pdf')
  expect(placeholders).toBe(0)
  expect((await textOf(file)).match(/\S.*/g)).toEqual([
    'My Diary',
    'Tuesday, June 10th, 2025',
    'A first day.',
    'Two lines of it.',
    'some day',
    'Another day.',
  ])
})

test('a reader of the file sees the words 20 mm from the left, and entries at their distance [DIARY-41 DIARY-45]', async ({
  skip,
}) => {
  skip(!hasPdftotext, 'pdftotext is not installed')
  const { file } = await makePdf(diary, [...oneDay('One line'), ...oneDay('Second')], loadFont, nothing)
  const words = [...(await textOf(file, '-bbox')).matchAll(/xMin="([\d.]+)".*yMax="([\d.]+)">(.*)</g)]
  const placeOf = (word: string) => {
    const [, left, bottom] = words.find(([, , , text]) => text === word)!
    return { left: Number(left) / mm, bottom: Number(bottom) / mm }
  }
  const mm = 72 / 25.4
  expect(placeOf('Second').left).toBeCloseTo(20, 0)
  expect(placeOf('Second').bottom - placeOf('One').bottom).toBeCloseTo(20, 1)
})

test
  .skipIf(!hasPdftotext)
  .each([
    'Office affluent “quotes” naïve Žluťoučký → e\u0301a café ½ © μ\u00b5 Ω\u2126',
    'Ελληνικά Καλημέρα κόσμε. ἀρχή',
    'Привет, мир! ѣ',
    'שלום עולם',
    'السلام عليكم ورحمة الله إله',
    'नमस्ते दुनिया, हिन्दी में लिखा क्षत्रिय किताब।',
    '今天天气很好，我们去公园。臺灣',
    '日本語のテキスト。カタカナ',
    '안녕하세요 세계',
    'বাংলা ভাষা কৃষ্ণ',
    'தமிழ் மொழி',
    'ภาษาไทยน้ำ',
    'ქართული Հայերեն ገጽ',
    'ខ្មែរ မြန်မာ ລາວ',
    '😀 👩‍👩‍👧 👍🏽 🇩🇪 ❤️ ☕ ✓ ★ ∑ 𝔸 ♫',
  ])('a writer exports %s and copies the same text from the file [DIARY-46]', async (text) => {
  const { file, placeholders } = await makePdf(diary, oneDay(text), loadFont, nothing)
  expect(placeholders).toBe(0)
  expect(withoutSpace(await textOf(file))).toContain(withoutSpace(text))
  expect(file.size).toBeLessThan(60_000)
})

test.skipIf(!hasPdftotext).each(['שָׁלוֹם', 'اَلْحَمْدُ لِلَّهِ', 'می‌خواهم', '۱۲۳'])(
  'a writer exports %s with marks, and copies its letters from the file in their order [DIARY-46]',
  async (text) => {
    const { file, placeholders } = await makePdf(diary, oneDay(text), loadFont, nothing)
    const bare = (some: string) => withoutSpace(some).replace(/[\p{M}\u200c]/gu, '')
    expect(placeholders).toBe(0)
    expect(bare(await textOf(file))).toContain(bare(text))
  },
)

test('a letter that no font has is a box and is counted [DIARY-46]', async () => {
  const { placeholders } = await makePdf(diary, oneDay('before 𒀀𓀀 after'), loadFont, nothing)
  expect(placeholders).toBe(2)
})

test.each([
  ['plain words', 1],
  ['a word: שלום', 2],
])('a writer who exports %j loads only the fonts that it needs: %i [DIARY-46]', async (content, count) => {
  const loaded: string[] = []
  await makePdf(
    diary,
    oneDay(content),
    (file) => {
      loaded.push(file)
      return loadFont(file)
    },
    nothing,
  )
  expect(loaded).toHaveLength(count)
})

test('the file holds text alone: no form, note, link or script, whatever an entry says [S37]', async () => {
  const { file } = await makePdf(
    diary,
    [{ heading: ') /Annots [ (', content: '(\\) Tj ET >> endobj /AcroForm /JavaScript <script>' }],
    loadFont,
    nothing,
  )
  const bytes = new TextDecoder('latin1').decode(await file.arrayBuffer())
  expect(bytes).not.toMatch(/\/(Annots|AcroForm|JavaScript|JS|OpenAction|URI|EmbeddedFile)\b/)
})

const decade = realDiary()
if (!decade) console.log('Skipped: the diary of a decade is not on this machine.')

test.skipIf(!decade || !hasPdftotext)(
  'a writer exports a diary of ten years with every word [DIARY-37 DIARY-42 DIARY-46]',
  { timeout: 180_000 },
  async () => {
    const steps: number[] = []
    const began = performance.now()
    const { file, placeholders } = await makePdf(
      diary,
      decade!.map(({ date, content }) => ({ heading: paperDate(date), content })),
      loadFont,
      (done) => steps.push(done),
    )
    const seconds = (performance.now() - began) / 1000
    console.log(`${decade!.length} entries: ${seconds.toFixed(1)} s, ${(file.size / 1e6).toFixed(1)} MB`)
    expect(placeholders).toBe(0)
    expect(steps.at(-1)).toBe(3410)
    const text = withoutSpace(await textOf(file, '-raw'))
    let at = 0
    const lost = decade!.filter(({ content }) => {
      const found = text.indexOf(withoutSpace(content), at)
      if (found >= 0) at = found
      return found < 0
    })
    expect(lost).toEqual([])
  },
)

test.each([
  ['combining marks', 'a', '\u0301'],
  ['marks of direction', '\u05d0', '\u200f'],
  ['alternating marks of direction', '\u05d0', '\u200f\u200e'],
])(
  'a diary of 50,000 %s in one line is made about as fast as one with the same marks in short lines',
  async (_what, letter, mark) => {
    const marks = mark.repeat(100 / mark.length)
    const msOf = async (content: string) => {
      const from = performance.now()
      await makePdf(diary, oneDay(content), loadFont, nothing)
      return performance.now() - from
    }
    const inLines = await msOf(Array.from({ length: 500 }, (_, n) => `${letter}${n}${marks}`).join('\n'))
    expect(await msOf(letter + marks.repeat(500))).toBeLessThan(4 * inLines)
  },
  120_000,
)
