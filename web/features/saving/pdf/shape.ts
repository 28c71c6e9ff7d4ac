import bidiFactory from 'bidi-js'
import type { Font, Glyph } from 'fontkit'
import { cached } from '#web/lib/cached.ts'
import type { Faces } from './faces.ts'

/** A glyph and its metrics, in thousandths of the font size. */
interface ShapedGlyph {
  id: number
  /** The text of the glyph. A letter may have several glyphs, and a glyph several letters. */
  text: string
  width: number
  advance: number
  right: number
  up: number
}

/** Glyphs of one font, from left to right. */
export interface Run {
  face: Font
  glyphs: ShapedGlyph[]
  width: number
  /** The text of the run, when the texts of its glyphs would be read as another text. */
  actual: string | undefined
}

/** Words in one direction, from left to right on the paper. */
interface Shaped {
  runs: Run[]
  width: number
  placeholders: number
}

export type Shape = (text: string, isRtl: boolean) => Shaped

/** Caches the shaped words, because most words of a long diary repeat. */
export function shaping(faces: Faces): Shape {
  const known = new Map<string, Shaped>()
  return (text, isRtl) => cached(known, isRtl ? `\u200f${text}` : text, () => shape(text, isRtl, faces))
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * fontkit places a mark in a time that grows with the number of glyphs since its letter. So a text is laid out in pieces
 * of at most so many UTF-16 units, and a letter with more marks than any script uses is cut.
 */
const pieceMax = 200

const placeholder = '\u25a1'

function shape(text: string, isRtl: boolean, faces: Faces): Shaped {
  const pieces: { face: Font | undefined; text: string }[] = []
  for (const segment of lettersOf(text)) {
    const face = segment.replace(silent, '') === '' ? null : faces.faceOf(segment)
    // Invisible characters alone are left out.
    if (face === null) continue
    const last = pieces.at(-1)
    const fits = last && last.text.length + segment.length <= pieceMax
    if (fits && face && last.face === face) last.text += segment
    else pieces.push({ face, text: segment })
  }
  const runs = pieces.map((piece) =>
    piece.face ? runOf(piece.text, piece.face, isRtl) : boxFor(piece.text, faces.body),
  )
  return {
    runs: isRtl ? runs.toReversed() : runs,
    width: runs.reduce((sum, run) => sum + run.width, 0),
    placeholders: pieces.filter(({ face }) => !face).length,
  }
}

function* lettersOf(text: string) {
  for (const { segment } of letters.segment(text)) {
    if (segment.length <= pieceMax) yield segment
    else yield* segment.match(/.{1,100}/gsu)!
  }
}

function runOf(text: string, face: Font, isRtl: boolean): Run {
  const glyphs = layOut(isRtl ? mirrored(text) : text, face, isRtl)
  const read = (isRtl ? glyphs.toReversed() : glyphs).map((glyph) => glyph.text).join('')
  return {
    face,
    glyphs,
    width: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    actual: read === (isRtl ? text.replace(silent, '') : text) ? undefined : text,
  }
}

const silent = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu

const boxFor = (text: string, body: Font): Run => ({
  ...runOf(placeholder, body, false),
  actual: text,
})

function layOut(text: string, face: Font, isRtl: boolean): ShapedGlyph[] {
  const { glyphs, positions } = face.layout(text, [], undefined, undefined, isRtl ? 'rtl' : 'ltr')
  const scale = 1000 / face.unitsPerEm
  const shaped = glyphs.map((glyph: Glyph, i) => {
    const { xAdvance, xOffset, yOffset } = positions[i]!
    return {
      id: glyph.id,
      text: String.fromCodePoint(...glyph.codePoints),
      width: glyph.advanceWidth * scale,
      advance: xAdvance * scale,
      right: xOffset * scale,
      up: yOffset * scale,
    }
  })
  // Fontkit gives a joiner the glyph of a space; it is left out.
  return shaped.filter((glyph) => glyph.text !== ' ' || text === ' ')
}

export const bidi = bidiFactory()

/** Mirrors brackets for text that is written from right to left. */
const mirrored = (text: string) =>
  Array.from(text, (sign) => bidi.getMirroredCharacter(sign) ?? sign).join('')
