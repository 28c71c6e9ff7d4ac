const most = { characters: 1500, lines: 30 }

/** The part of a text that a card can show: its height is bounded, and more would only cost time. */
export function beginningOf(text: string): string {
  const lines = text.slice(0, most.characters).split('\n', most.lines + 1)
  return lines.slice(0, most.lines).join('\n')
}
