/** In millimetres from the upper left corner of an A4 page. */
export const paper = { width: 210, height: 297, left: 20, textWidth: 170, title: 20, start: 30, end: 250 }

/** Font sizes in points. */
export const sizes = { title: 18, date: 12, body: 10 }

const titleStep = 8
const dateStep = 6
const lineStep = 5
const entryGap = 15
const bodyBelowDate = 7

/** The position of a line. */
export interface Place {
  /** The first page is 0. */
  page: number
  y: number
}

/** The positions of the lines of the title, and of the first entry. */
export function placeHead(lineCount: number): { lines: Place[]; next: Place } {
  const lines = Array.from({ length: lineCount }, (_, i) => ({ page: 0, y: paper.title + i * titleStep }))
  return { lines, next: { page: 0, y: paper.start + (lineCount - 1) * titleStep } }
}

/** The positions of the lines of the date and of the text of an entry, and of the next entry. */
export function placeEntry(
  from: Place,
  lineCount: number,
  dateLineCount = 1,
): { dates: Place[]; lines: Place[]; next: Place } {
  const first = onPage(from)
  const dates = Array.from({ length: dateLineCount }, (_, i) => below(first, i * dateStep))
  const date = dates.at(-1)!
  const lines: Place[] = []
  // The first line is on the page of its date, also below `paper.end`.
  let line = below(date, bodyBelowDate)
  for (let i = 0; i < lineCount; i++) {
    lines.push(line)
    line = onPage(below(line, lineStep))
  }
  const last = lines.at(-1) ?? below(date, bodyBelowDate - lineStep)
  return { dates, lines, next: below(last, entryGap + lineStep - bodyBelowDate) }
}

const below = ({ page, y }: Place, step: number): Place => ({ page, y: y + step })

const onPage = (place: Place): Place =>
  place.y > paper.end ? { page: place.page + 1, y: paper.start } : place
