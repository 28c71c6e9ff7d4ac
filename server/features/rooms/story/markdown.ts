import { contributionOf, nothingWritten, type Story } from './story.ts'

/**
 * A story as Markdown: passages between rules, each under the name of its author. Passages are written as they were typed,
 * with their emphasis, lists and quotes. A backslash is added before marks that would affect other passages or look like
 * a part of the file: headings, rules, fences of code, HTML, footnotes and definitions of links. Therefore no passage
 * contains a rule, and the first line after a rule is always the name of an author.
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

// The start of a heading, of a fence, of the line under a heading, or of a rule.
const startOfBlock =
  /^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|=+[ \t]*$|-+[ \t]*$|([-_*])(?:[ \t]*\2){2,}[ \t]*$)/gm

// The start of HTML or of a footnote, and the end of the label of a definition, where no backslash escapes it yet.
const unescapedMark = /(?<!\\)(?:\\\\)*(?:<(?=[A-Za-z/!?])(?!https?:)|\[(?=\^)|\](?=:))/g
