/** The highest card shows 14 lines of the smallest reading size. */
const most = { characters: 1500, lines: 16 }

/** The part of a text that a card can show: its height is bounded, and more would only cost time. */
export function beginningOf(text: string): string {
  // Half of an emoji at the end would be another character in the HTML of the server.
  const beginning = text.slice(0, most.characters).replace(/[\ud800-\udbff]$/, '')
  return beginning.split('\n', most.lines).join('\n')
}
