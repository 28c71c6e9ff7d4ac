import PDFDocument, { type EmbeddedFont } from 'pdfkit'
import type { Font } from 'fontkit'
import { paperDate } from '#contract/diary/dates.ts'
import { facesFor } from './faces.ts'
import { firstPlace, paper, placeEntry, sizes, type Place } from './layout.ts'
import { plain, type SetLine, setText } from './set-text.ts'
import { type Run, type ShapedGlyph, shaping } from './shape.ts'

export interface Entry {
  date: string
  content: string
}

const title = 'My Diary'
const reportEvery = 20

/** All entries in their order as one PDF; the placeholders stand where no font has the letter. */
export async function makePdf(
  entries: Entry[],
  loadFont: (file: string) => Promise<Uint8Array>,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: Blob; placeholders: number }> {
  const texts = entries.map(({ date, content }) => ({
    date: plain(paperDate(date)),
    content: plain(content),
  }))
  const faces = await facesFor(
    texts.flatMap(({ date, content }) => [date, content]),
    loadFont,
  )
  const shape = shaping(faces)
  const pen = openPdf()
  let placeholders = 0
  const draw = (line: SetLine, size: number, place: Place) => {
    placeholders += line.placeholders
    pen.draw(line, size, place)
  }

  const linesOf = (text: string, size: number) => setText(text, (paper.textWidth * 1000) / mm(size), shape)
  draw(linesOf(title, sizes.title)[0]!, sizes.title, { page: 0, y: paper.title })
  let at = firstPlace
  for (const [i, { date, content }] of texts.entries()) {
    const lines = linesOf(content, sizes.body)
    const places = placeEntry(at, lines.length)
    draw(linesOf(date, sizes.date)[0]!, sizes.date, places.date)
    for (const [number, line] of lines.entries()) draw(line, sizes.body, places.lines[number]!)
    at = places.next
    if ((i + 1) % reportEvery === 0) onProgress(i + 1, entries.length)
  }
  onProgress(entries.length, entries.length)
  return { file: await pen.close(), placeholders }
}

const pointsInMm = 72 / 25.4
const mm = (points: number) => points / pointsInMm
const points = (inMm: number) => inMm * pointsInMm

/** Draws lines of text, and nothing else, on pages one after the other. */
function openPdf() {
  const pdf = new PDFDocument({
    size: [points(paper.width), points(paper.height)],
    margin: 0,
    font: null,
    info: { Title: title },
  })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  pdf.on('data', (chunk) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => pdf.on('end', resolve))
  const inks = new Map<Font, Ink>()
  let page = 0

  return {
    draw: (line: SetLine, size: number, place: Place) => {
      for (; page < place.page; page++) pdf.addPage()
      if (line.runs.length === 0) return
      const width = mm((line.width * size) / 1000)
      const left = paper.left + (line.isRtl ? paper.textWidth - width : 0)
      const operators = written(line.runs, size, (face) => {
        const ink = inks.get(face) ?? inkOf(pdf, face)
        inks.set(face, ink)
        pdf.page.fonts[ink.font.id] ??= ink.font.ref()
        return ink
      })
      pdf.addContent(`BT 1 0 0 -1 ${short(points(left))} ${short(points(place.y))} Tm ${operators} ET`)
    },
    close: async () => {
      pdf.end()
      await ended
      return new Blob(chunks, { type: 'application/pdf' })
    },
  }
}

interface Ink {
  font: EmbeddedFont
  /** Gives a glyph its code in the file: one for each text it stands for, so that it reads back as that text. */
  codeOf: (glyph: ShapedGlyph) => string
  /** Words come again and again. */
  shown: Map<Run, Shown[]>
}

interface Shown {
  up: number
  codes: string
}

function inkOf(pdf: PDFDocument, face: Font): Ink {
  const font = pdf.font(face)._font
  const codes = new Map<string, string>()
  return {
    font,
    shown: new Map(),
    codeOf: (glyph) => {
      const key = `${glyph.id} ${glyph.text}`
      const known = codes.get(key)
      if (known !== undefined) return known
      const place = font.subset.glyphs.push(glyph.id) - 1
      font.unicode[place] = Array.from(glyph.text, (letter) => letter.codePointAt(0)!)
      font.widths[place] = glyph.width
      const code = hex(place)
      codes.set(key, code)
      return code
    },
  }
}

/** The operators of a line: words of one font in one array, what needs its own text or height by itself. */
function written(runs: Run[], size: number, inkFor: (face: Font) => Ink): string {
  const operators: string[] = []
  let font = ''
  let shown = ''
  const flush = () => {
    if (shown !== '') operators.push(`[${shown.replaceAll('><', '')}] TJ`)
    shown = ''
  }
  for (const run of runs) {
    const ink = inkFor(run.face)
    if (ink.font.id !== font) {
      flush()
      font = ink.font.id
      operators.push(`/${font} ${size} Tf`)
    }
    const show = ink.shown.get(run) ?? showing(run, ink)
    ink.shown.set(run, show)
    if (run.actual === undefined && show.every(({ up }) => up === 0)) {
      shown += show.map(({ codes }) => codes).join('')
      continue
    }
    flush()
    if (run.actual !== undefined) operators.push(`/Span <</ActualText <feff${utf16(run.actual)}>>> BDC`)
    for (const { up, codes } of show)
      operators.push(`${short((up * size) / 1000)} Ts [${codes.replaceAll('><', '')}] TJ`)
    operators.push(run.actual === undefined ? '0 Ts' : '0 Ts EMC')
  }
  flush()
  return operators.join(' ')
}

/** The codes of a run and, between them, what moves the pen; in parts of one height. */
function showing({ glyphs }: Run, { codeOf }: Ink): Shown[] {
  const parts: Shown[] = []
  let gap = 0
  for (const glyph of glyphs) {
    if (parts.at(-1)?.up !== glyph.up) parts.push({ up: glyph.up, codes: '' })
    const move = Math.round(gap + glyph.right)
    parts.at(-1)!.codes += `${move === 0 ? '' : -move}<${codeOf(glyph)}>`
    gap += glyph.advance - glyph.width - move
  }
  const rest = Math.round(gap)
  if (rest !== 0) parts.at(-1)!.codes += -rest
  return parts
}

const short = (value: number) => Number(value.toFixed(2))
const hex = (value: number) => value.toString(16).padStart(4, '0')
const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i))).join('')
