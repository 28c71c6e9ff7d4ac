import LineBreaker from 'linebreak'

/** The lines of a paragraph; joined they are the paragraph. */
export function wrap(paragraph: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const endLine = () => {
    lines.push(line)
    line = ''
    used = 0
  }
  for (const part of partsOf(paragraph)) {
    const visible = measure(part.trimEnd())
    if (line !== '' && used + visible > width) endLine()
    for (const piece of visible > width ? cut(part, width, measure) : [part]) {
      const needed = measure(piece.trimEnd())
      if (line !== '' && used + needed > width) endLine()
      line += piece
      used += measure(piece)
    }
  }
  lines.push(line)
  return lines
}

/** What stays together unless it is longer than a line: words with the space behind them. */
function* partsOf(text: string) {
  if (/^[\x20-\x7e]*$/.test(text)) {
    yield* text.match(/\S*\s+|\S+/g) ?? []
    return
  }
  const breaker = new LineBreaker(text)
  let from = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield text.slice(from, next.position)
    from = next.position
  }
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A word longer than a line, and scripts that write no spaces, break between letters. */
function* cut(word: string, width: number, measure: (text: string) => number) {
  let piece = ''
  let used = 0
  for (const { segment } of letters.segment(word)) {
    const needed = measure(segment)
    if (piece !== '' && used + needed > width) {
      yield piece
      piece = ''
      used = 0
    }
    piece += segment
    used += needed
  }
  yield piece
}
