/** In millimetres of an A4 page, from its upper left corner; a place is where a line stands. */
export const paper = { width: 210, height: 297, left: 20, textWidth: 170, title: 20, start: 30, end: 250 }

/** In points. */
export const sizes = { title: 18, date: 12, body: 10 }

const lineStep = 5
const entryGap = 15
const bodyBelowDate = 7

export interface Place {
  /** From 0. */
  page: number
  y: number
}

export const firstPlace: Place = { page: 0, y: paper.start }

/** Where an entry's date and lines stand, and where the next entry would. */
export function placeEntry(from: Place, lineCount: number): { date: Place; lines: Place[]; next: Place } {
  const date = onPage(from)
  const lines: Place[] = []
  // The first line stays with its date.
  let line = below(date, bodyBelowDate)
  for (let i = 0; i < lineCount; i++) {
    lines.push(line)
    line = onPage(below(line, lineStep))
  }
  const last = lines.at(-1) ?? below(date, bodyBelowDate - lineStep)
  return { date, lines, next: below(last, entryGap + lineStep - bodyBelowDate) }
}

const below = ({ page, y }: Place, step: number): Place => ({ page, y: y + step })

const onPage = (place: Place): Place =>
  place.y > paper.end ? { page: place.page + 1, y: paper.start } : place
