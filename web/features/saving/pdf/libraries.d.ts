// Types of the parts that the export uses of libraries without types.
declare module 'pdfkit' {
  import type { Font, Subset } from 'fontkit'

  /** An embedded font. The code of a glyph is its index in the subset. */
  export interface EmbeddedFont {
    id: string
    font: Font
    subset: Subset
    /** The text of each code, which a reader of the file copies or finds. */
    unicode: number[][]
    widths: number[]
    ref: () => unknown
  }

  export default class PDFDocument {
    constructor(options: { size: [number, number]; margin: number; font: null; info: { Title: string } })
    _font: EmbeddedFont
    page: { fonts: Record<string, unknown> }
    font(source: Font): this
    addContent(operators: string): this
    addPage(): this
    on(event: 'data', take: (chunk: Uint8Array<ArrayBuffer>) => void): this
    on(event: 'end', take: () => void): this
    end(): void
  }
}

declare module 'fontkit' {
  export interface Point {
    x: number
    y: number
    onCurve: boolean
    endContour: boolean
    copy: () => Point
  }

  export interface Glyph {
    id: number
    codePoints: number[]
    advanceWidth: number
    _decode: () => { points?: Point[]; components?: { glyphID: number }[] }
    _getContours: () => Point[][]
    _getMetrics: () => { leftBearing: number }
  }

  export interface Subset {
    glyphs: number[]
    glyf: Uint8Array[]
    loca: { offsets: number[] }
    hmtx: { metrics: { advance: number; bearing: number }[] }
    offset: number
    _addGlyph: (id: number) => void
    encode: () => Uint8Array
  }

  export interface Font {
    type: 'TTF' | 'WOFF2'
    unitsPerEm: number
    head: { indexToLocFormat: number }
    variationAxes: Partial<Record<string, { default: number }>>
    _variationProcessor: { transformPoints: (id: number, points: Point[]) => void } | null
    hasGlyphForCodePoint: (codePoint: number) => boolean
    getGlyph: (id: number, codePoints?: number[]) => Glyph
    layout: (
      text: string,
      features: string[],
      script: undefined,
      language: undefined,
      direction: 'ltr' | 'rtl',
    ) => {
      glyphs: Glyph[]
      positions: { xAdvance: number; xOffset: number; yOffset: number }[]
    }
    createSubset: () => Subset
  }

  export function create(bytes: Uint8Array): Font
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number } | null
  }
}
