import type { SavedText } from './saved-text.ts'

/**
 * A text as Markdown: its parts between rules, each under its heading. Parts are written as they were typed, with their
 * emphasis, lists and quotes. A backslash is added before marks that would affect other parts or look like a part of the
 * file: headings, rules, fenced code, HTML, footnotes and link reference definitions. No part contains a rule. When a part
 * has a heading, the heading is the first line after the rule.
 */
export function asMarkdown({ title, introduction, note, parts, contributors }: SavedText): string {
  const sections = [
    `# ${literal(title)}\n\n${introduction === '' ? '' : `${contained(introduction)}\n\n`}*${literal(note)}*`,
    ...parts.map(
      ({ heading, content }) =>
        `${heading === null ? '' : `**${literal(heading)}**\n\n`}${contained(content)}`,
    ),
  ]
  if (contributors.length > 0) {
    const list = contributors.map(({ name, contribution }) => `- ${literal(name)}: ${contribution}`)
    sections.push(`## Contributors\n\n${list.join('\n')}`)
  }
  return `${sections.join('\n\n---\n\n')}\n`
}

const literal = (line: string) => line.replace(/[\\`*_[\]<>&#~|]/g, '\\$&')

const contained = (text: string) =>
  text
    .replace(startOfBlock, '$1\\')
    .replace(unescapedMark, (marks) => `${marks.slice(0, -1)}\\${marks.at(-1)}`)

// The start of a heading, of a fence, of the line under a heading, or of a rule.
const startOfBlock =
  /^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|=+[ \t]*$|-+[ \t]*$|([-_*])(?:[ \t]*\2){2,}[ \t]*$)/gm

// The start of HTML or of a footnote, and the end of the label of a link reference definition. No backslash escapes the mark.
const unescapedMark = /(?<!\\)(?:\\\\)*(?:<(?=[A-Za-z/!?])(?!https?:)|\[(?=\^)|\](?=:))/g
