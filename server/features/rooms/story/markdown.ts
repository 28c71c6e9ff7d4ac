import { contributionOf, nothingWritten, type Story } from './story.ts'

/**
 * A story as Markdown: passages between rules, each under the name of its author. Passages stand as they were typed,
 * their emphasis, lists and quotes included, but for a backslash before what would reach beyond them or look like a
 * part of the file: headings, rules, fences of code, HTML, footnotes and definitions of links. No passage holds a rule
 * therefore, and the first line after one is always the name of who wrote what follows.
 */
export function asMarkdown({ title, description, endedOn, passages, contributors }: Story): string {
  const parts = [
    `# ${literal(title)}\n\n${contained(description)}\n\n*${endedOn}*`,
    ...passages.map(({ author, content }) => `**${literal(author)}**\n\n${contained(content)}`),
    passages.length === 0
      ? nothingWritten
      : `## Contributors\n\n${contributors.map((each) => `- ${literal(each.name)}: ${contributionOf(each)}`).join('\n')}`,
  ]
  return `${parts.join('\n\n---\n\n')}\n`
}

const literal = (line: string) => line.replace(/[\\`*_[\]<>&#~|]/g, '\\$&')

const contained = (text: string) =>
  text
    .replace(startOfBlock, '$1\\')
    .replace(unescapedMark, (marks) => `${marks.slice(0, -1)}\\${marks.at(-1)}`)

// Before a heading, a fence, and what underlines a heading or is a rule.
const startOfBlock =
  /^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|=+[ \t]*$|-+[ \t]*$|([-_*])(?:[ \t]*\2){2,}[ \t]*$)/gm

// What begins HTML or a footnote, and what ends the label of a definition, without a backslash that already takes its meaning.
const unescapedMark = /(?<!\\)(?:\\\\)*(?:<(?=[A-Za-z/!?])(?!https?:)|\[(?=\^)|\](?=:))/g
