import { create, type Font, type Point, type Subset } from 'fontkit'

/** Opens a font so that a part of it can be put into a file, whatever it is packed in. */
export function openFont(bytes: Uint8Array): Font {
  const font = create(bytes)
  if (font.type === 'WOFF2') unpack(font)
  tellLetters(font)
  return font
}

/** fontkit remembers a glyph with the letters under which it first met it; here each comes with its own. */
function tellLetters(font: Font) {
  const getGlyph = font.getGlyph.bind(font)
  font.getGlyph = (id, codePoints = []) => {
    const glyph = getGlyph(id)
    // Read here once, or each copy would read it anew.
    return Object.create(glyph, {
      codePoints: { value: codePoints },
      advanceWidth: { value: glyph.advanceWidth },
    })
  }
}

/** fontkit reads WOFF2 but cannot copy its glyphs, nor bring their weight to regular: both happen here. */
function unpack(font: Font) {
  // The long form of the table of offsets.
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

/** Moves the points of a glyph to where they stand at regular weight, once. */
function weighing(font: Font): (id: number) => void {
  const weight = font.variationAxes['wght']
  if (!weight || weight.default === regularWeight) return () => {}
  // A view of its own: decoding a glyph fails in a font that has coordinates.
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
    // Four more points stand for the metrics in the table of weights.
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

/** A simple glyph of the `glyf` table: box, ends of contours, no instructions, flags, steps in x and in y. */
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
