/** More levels of quotes and lists are written as this many: a short file must not become a long text. */
const levelsMax = 5

interface Level {
  /** What stands before the first line of this level, such as '- '. */
  mark: string
  isQuote: boolean
  isMarked: boolean
}

/** Writes text in paragraphs, lists and quotes, as HTML has them. */
export class TextWriter {
  readonly #lines: string[] = []
  readonly #levels: Level[] = []
  #line = ''
  #hasLine = false
  #endsInSpace = true
  #needsGap = false
  #keptQuotes = 0

  /** Adds text with each run of white space as one space, as HTML shows it. */
  addCollapsed(text: string): void {
    const flat = text.replace(/[ \t\n\r\f]+/g, ' ')
    this.#add(this.#endsInSpace && flat.startsWith(' ') ? flat.slice(1) : flat)
  }

  /** Adds text with its line breaks and spaces. */
  addLines(text: string): void {
    text
      .replaceAll('\r\n', '\n')
      .split('\n')
      .forEach((line, index) => {
        if (index > 0) this.breakLine()
        this.#add(line)
      })
  }

  breakLine(): void {
    // An empty paragraph is the blank line that stands there already.
    if (!this.#hasLine && this.#needsGap) return
    if (!this.#hasLine) this.#startLine()
    this.#endLine()
  }

  endLine(): void {
    if (this.#hasLine) this.#endLine()
  }

  /** Ends the paragraph: a blank line stands before the next text, but not between the items of a list. */
  endParagraph(): void {
    if (this.#hasLine && this.#line.trim() === '') this.#dropLine()
    this.endLine()
    this.#needsGap ||= !this.#levels.some(({ isQuote }) => !isQuote)
  }

  openLevel(mark: string): void {
    this.endLine()
    this.#levels.push({ mark, isQuote: mark === quoteMark, isMarked: false })
  }

  closeLevel(): void {
    this.endLine()
    this.#levels.pop()
  }

  result(): string {
    this.endLine()
    const lines = this.#lines.map((line) => line.replaceAll('\u00a0', ' ').trimEnd())
    let start = 0
    while (start < lines.length && lines[start] === '') start++
    while (lines.length > start && lines.at(-1) === '') lines.pop()
    return lines.slice(start).join('\n')
  }

  #add(text: string): void {
    if (text === '') return
    if (!this.#hasLine) this.#startLine()
    this.#line += text
    this.#endsInSpace = text.endsWith(' ')
  }

  #startLine(): void {
    const levels = this.#levels.slice(0, levelsMax)
    const quotes = levels.filter(({ isQuote }) => isQuote).length
    const gap = quoteMark.repeat(Math.min(quotes, this.#keptQuotes))
    if (this.#needsGap && this.#lines.length > 0 && this.#lines.at(-1) !== gap) this.#lines.push(gap)
    this.#needsGap = false
    this.#keptQuotes = quotes
    for (const level of levels) {
      this.#line += level.isQuote || !level.isMarked ? level.mark : ' '.repeat(level.mark.length)
      level.isMarked = true
    }
    this.#hasLine = true
  }

  #endLine(): void {
    this.#lines.push(this.#line)
    this.#dropLine()
  }

  #dropLine(): void {
    this.#line = ''
    this.#hasLine = false
    this.#endsInSpace = true
  }
}

export const quoteMark = '> '
