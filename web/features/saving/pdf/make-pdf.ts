import PDFDocument from 'pdfkit'
import type { Font } from 'fontkit'
import { cached } from '#web/lib/cached.ts'
import { facesFor } from './faces.ts'
import { embedFont, type FontInPdf } from './library-internals.ts'
import { paper, placeEntry, placeHead, sizes, type Place } from './layout.ts'
import { withPlainSpaces, type SetLine, breakIntoLines } from './set-text.ts'
import { type Run, shaping } from './shape.ts'

export interface PdfPart {
  /** Such as the date of a day of the diary; empty for a part without one. */
  heading: string
  content: string
}

const reportEvery = 20

/** All parts in their order as one PDF. `placeholders` is the number of letters that no font has. */
export async function makePdf(
  title: string,
  parts: PdfPart[],
  loadFont: (file: string) => Promise<Uint8Array>,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: Blob; placeholders: number }> {
  const plainTitle = withPlainSpaces(title)
  const texts = parts.map(({ heading, content }) => ({
    heading: withPlainSpaces(heading),
    content: withPlainSpaces(content),
  }))
  const faces = await facesFor(
    [plainTitle, ...texts.flatMap(({ heading, content }) => [heading, content])],
    loadFont,
  )
  const shape = shaping(faces)
  const pen = openPdf(title)
  let placeholders = 0
  const draw = (line: SetLine, size: number, place: Place) => {
    placeholders += line.placeholders
    pen.draw(line, size, place)
  }

  const linesOf = (text: string, size: number) =>
    breakIntoLines(text, (paper.textWidth * 1000) / mm(size), shape)
  const titleLines = linesOf(plainTitle, sizes.title)
  const head = placeHead(titleLines.length)
  for (const [number, line] of titleLines.entries()) draw(line, sizes.title, head.lines[number]!)
  let at = head.next
  for (const [i, { heading, content }] of texts.entries()) {
    const headingLines = linesOf(heading, sizes.date)
    const lines = linesOf(content, sizes.body)
    const places = placeEntry(at, lines.length, headingLines.length)
    for (const [number, line] of headingLines.entries()) draw(line, sizes.date, places.dates[number]!)
    for (const [number, line] of lines.entries()) draw(line, sizes.body, places.lines[number]!)
    at = places.next
    if ((i + 1) % reportEvery === 0) onProgress(i + 1, parts.length)
  }
  onProgress(parts.length, parts.length)
  return { file: await pen.close(), placeholders }
}

const pointsInMm = 72 / 25.4
const mm = (points: number) => points / pointsInMm
const points = (inMm: number) => inMm * pointsInMm

/** Draws lines of text, one page after the other. */
function openPdf(title: string) {
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
        const ink = cached(inks, face, () => ({ font: embedFont(pdf, face), shown: new Map<Run, Shown[]>() }))
        ink.font.addToPage()
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
  font: FontInPdf
  /** A cache, because words repeat. */
  shown: Map<Run, Shown[]>
}

interface Shown {
  up: number
  codes: string
}

/** The PDF operators of a line. Words of one font share one array; a run with its own text or height has its own. */
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
    const show = cached(ink.shown, run, () => showing(run, ink))
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

/** The codes of a run with the moves of the pen between them, one part for each height. */
function showing({ glyphs }: Run, { font }: Ink): Shown[] {
  const parts: Shown[] = []
  let gap = 0
  for (const glyph of glyphs) {
    if (parts.at(-1)?.up !== glyph.up) parts.push({ up: glyph.up, codes: '' })
    const move = Math.round(gap + glyph.right)
    parts.at(-1)!.codes += `${move === 0 ? '' : -move}<${font.codeOf(glyph)}>`
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
