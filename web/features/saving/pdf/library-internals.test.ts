// @vitest-environment node
import PDFDocument from 'pdfkit'
import { create, type Font } from 'fontkit'
import { expect, test } from 'vitest'
import { bodyFile, filesFor } from './font-files.ts'
import { embedFont, openFont } from './library-internals.ts'
import { loadFont } from './testing.ts'

const hebrewFile = filesFor('ש', false)[0]!
const openPdf = () => new PDFDocument({ size: [100, 100], margin: 0, font: null, info: { Title: 'A test' } })

/** All points of a glyph, as the embedded font draws it. */
const outlineOf = (font: Font, id: number) =>
  font
    .getGlyph(id)
    ._getContours()
    .flat()
    .map(({ x, y }) => [Math.round(x), Math.round(y)])

test('fontkit and pdfkit still have the internals that the export relies on', async () => {
  const font = create(await loadFont(hebrewFile))
  expect(font.type).toBe('WOFF2')
  expect(font.variationAxes['wght']).toMatchObject({ default: expect.any(Number) as number })
  const atRegular: Font = Object.create(font, { variationCoords: { value: [400] } })
  expect(typeof atRegular._variationProcessor?.transformPoints).toBe('function')
  const subset = font.createSubset()
  expect(typeof subset._addGlyph).toBe('function')
  expect(subset.glyphs).toEqual([0])
  const glyph = font.getGlyph(5)
  expect(glyph._decode().points?.[0]).toMatchObject({ x: expect.any(Number) as number })
  expect(glyph._getMetrics()).toMatchObject({ leftBearing: expect.any(Number) as number })
  const pdf = openPdf()
  expect(pdf.font(openFont(await loadFont(bodyFile)))._font).toMatchObject({
    id: expect.any(String) as string,
    unicode: [[0]],
    subset: { glyphs: [0] },
    ref: expect.any(Function) as () => unknown,
  })
  expect(pdf.page.fonts).toEqual({})
})

test('a glyph of two texts has one code for each text', async () => {
  const pdf = openPdf()
  const face = openFont(await loadFont(bodyFile))
  const font = embedFont(pdf, face)
  const { id } = face.layout('Ω', [], undefined, undefined, 'ltr').glyphs[0]!
  const greek = font.codeOf({ id, text: 'Ω', width: 700 })
  const ohm = font.codeOf({ id, text: '\u2126', width: 700 })
  expect([greek, ohm, font.codeOf({ id, text: 'Ω', width: 700 })]).toEqual(['0001', '0002', '0001'])
  const embedded = pdf.font(face)._font
  expect(embedded.unicode.slice(1)).toEqual([[0x3a9], [0x2126]])
  expect(embedded.subset.glyphs).toEqual([0, id, id])
  font.addToPage()
  expect(Object.keys(pdf.page.fonts)).toEqual([font.id])
})

test('a letter has its own code point, also when its glyph was first used for another letter', async () => {
  const face = openFont(await loadFont(bodyFile))
  const glyphOf = (text: string) => face.layout(text, [], undefined, undefined, 'ltr').glyphs[0]!
  const { id } = glyphOf('A')
  expect(face.getGlyph(id, [0x391]).codePoints).toEqual([0x391])
  expect(face.getGlyph(id).codePoints).toEqual([])
  expect(glyphOf('A').codePoints).toEqual([0x41])
})

test('a glyph of a WOFF2 font is embedded with its outline at regular weight', async () => {
  const bytes = await loadFont(hebrewFile)
  const font = openFont(bytes)
  const { id } = font.layout('ש', [], undefined, undefined, 'rtl').glyphs[0]!
  const thin = outlineOf(create(bytes), id)
  const subset = font.createSubset()
  subset.glyphs.push(id)
  const embedded = create(subset.encode())
  expect(outlineOf(embedded, 1)).toEqual(outlineOf(font, id))
  expect(embedded.getGlyph(1).advanceWidth).toBe(font.getGlyph(id).advanceWidth)
  // The font is thin by itself: the points have moved.
  expect(outlineOf(embedded, 1)).not.toEqual(thin)
})
