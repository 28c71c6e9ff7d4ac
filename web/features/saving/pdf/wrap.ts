import LineBreaker from 'linebreak'

/** Breaks a paragraph into lines. The lines joined are the paragraph. */
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

/** The parts that a line is not broken in, unless a part is longer than a line: words with the spaces after them. */
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

/** Cuts a part that is longer than a line between letters. */
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
