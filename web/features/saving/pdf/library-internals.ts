import { create, type Font, type Point, type Subset } from 'fontkit'
import type PDFDocument from 'pdfkit'
import type { EmbeddedFont } from 'pdfkit'

// This file has all code that relies on internals of fontkit and pdfkit. A new version may change them, and then
// library-internals.test.ts fails. The internals, and what breaks without them:
// - fontkit `getGlyph` is called for each glyph of a layout: else letters are copied from the file as other letters.
// - fontkit `Subset._addGlyph`, `glyf`, `loca`, `hmtx`, `offset`: else fonts in WOFF2 are embedded without outlines.
// - fontkit `_variationProcessor.transformPoints` and `_decode`: else fonts in WOFF2 are drawn at another weight.
// - pdfkit `_font` with `id`, `ref`, `subset.glyphs`, `unicode` and `widths`: else no text is in the file.
// - pdfkit `page.fonts`: else a page does not name its fonts, and readers of the file show it empty.

/** Opens a font in any format, so that a subset of it can be embedded. */
export function openFont(bytes: Uint8Array): Font {
  const font = create(bytes)
  if (font.type === 'WOFF2') makeEmbeddable(font)
  keepLetters(font)
  return font
}

/** fontkit caches a glyph with the letters of its first use. Here each use of a glyph has its own letters. */
function keepLetters(font: Font) {
  const getGlyph = font.getGlyph.bind(font)
  font.getGlyph = (id, codePoints = []) => {
    const glyph = getGlyph(id)
    // Read once: each copy would read the width from the font again.
    return Object.create(glyph, {
      codePoints: { value: codePoints },
      advanceWidth: { value: glyph.advanceWidth },
    })
  }
}

/** fontkit reads WOFF2, but cannot embed its glyphs or set their weight to regular. This function adds both. */
function makeEmbeddable(font: Font) {
  // The long format of the `loca` table.
  font.head.indexToLocFormat = 1
  const weigh = weighing(font)
  const createSubset = font.createSubset.bind(font)

  font.createSubset = () => {
    const subset = createSubset()
    subset._addGlyph = (id) => {
      weigh(id)
      addOutline(subset, font, id)
    }
    return subset
  }
}

const regularWeight = 400

/** Returns a function that moves the points of a glyph to regular weight, once for each glyph. */
function weighing(font: Font): (id: number) => void {
  const weight = font.variationAxes['wght']
  if (!weight || weight.default === regularWeight) return () => {}
  // A second object, because fontkit cannot decode a glyph of a font with variation coordinates.
  const view: Font = Object.create(font, { variationCoords: { value: [regularWeight] } })
  const variation = view._variationProcessor
  const done = new Set<number>()

  return function weigh(id) {
    if (done.has(id)) return
    done.add(id)
    const { points, components } = font.getGlyph(id)._decode()
    for (const { glyphID } of components ?? []) weigh(glyphID)
    const first = points?.[0]
    if (!points || !first) return
    // The variation table has four more points, for the metrics of the glyph.
    const ends = Array.from({ length: 4 }, () => Object.assign(first.copy(), { endContour: true }))
    variation?.transformPoints(id, [...points, ...ends])
  }
}

function addOutline(subset: Subset, font: Font, id: number) {
  const glyph = font.getGlyph(id)
  const outline = encode(glyph._getContours())
  subset.glyf.push(outline)
  subset.loca.offsets.push(subset.offset)
  subset.hmtx.metrics.push({ advance: glyph.advanceWidth, bearing: glyph._getMetrics().leftBearing })
  subset.offset += outline.length
}

/** A simple glyph of the `glyf` table: bounding box, ends of contours, no instructions, flags, deltas of x and of y. */
function encode(contours: Point[][]): Uint8Array {
  const points = contours.flat()
  if (points.length === 0) return new Uint8Array()
  const xs = points.map(({ x }) => Math.round(x))
  const ys = points.map(({ y }) => Math.round(y))
  const length = 12 + contours.length * 2 + points.length * 5
  const view = new DataView(new ArrayBuffer(length + (length % 2)))
  let at = 0
  const add = (value: number) => {
    view.setInt16(at, value)
    at += 2
  }
  add(contours.length)
  for (const edge of [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]) add(edge)
  let end = -1
  for (const contour of contours) add((end += contour.length))
  add(0)
  for (const { onCurve } of points) view.setUint8(at++, Number(onCurve))
  for (const steps of [xs, ys]) steps.forEach((value, i) => add(value - (steps[i - 1] ?? 0)))
  return new Uint8Array(view.buffer)
}

/** A font of one PDF. */
export interface FontInPdf {
  id: string
  /** The code of a glyph in the file. A glyph has one code for each of its texts, so that it is copied as that text. */
  codeOf: (glyph: { id: number; text: string; width: number }) => string
  /** Adds the font to the resources of the current page. */
  addToPage: () => void
}

export function embedFont(pdf: PDFDocument, face: Font): FontInPdf {
  const font: EmbeddedFont = pdf.font(face)._font
  const codes = new Map<string, string>()
  return {
    id: font.id,
    addToPage: () => void (pdf.page.fonts[font.id] ??= font.ref()),
    codeOf: ({ id, text, width }) => {
      const key = `${id} ${text}`
      const known = codes.get(key)
      if (known !== undefined) return known
      const place = font.subset.glyphs.push(id) - 1
      font.unicode[place] = Array.from(text, (letter) => letter.codePointAt(0)!)
      font.widths[place] = width
      const code = place.toString(16).padStart(4, '0')
      codes.set(key, code)
      return code
    },
  }
}
