/** The text without the backslashes before punctuation, as in `2024\.`. */
export const withoutEscapes = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

/** The heading that a Markdown text begins with; '' when there is none. */
export function headingOf(text: string): string {
  const match = /^\s*#{1,6}[ \t]+([^\n]+)/.exec(text)
  return match ? withoutEscapes(match[1]!.replace(/[ \t]#+$/, '').trim()) : ''
}
