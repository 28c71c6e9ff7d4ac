import { contributionOf, nothingWritten, type Story } from './story.ts'

/**
 * A story as plain text. Texts stand as they were typed; the rule between them is a row of dashes longer than any that
 * somebody typed, so that no passage can pretend to end and to be followed by one of somebody else.
 */
export function asPlainText({ title, description, endedOn, passages, contributors }: Story): string {
  const rule = '-'.repeat(1 + longestRule([description, ...passages.map(({ content }) => content)]))
  const parts = [
    `${title}\n\n${description}\n\n${endedOn}`,
    ...passages.map(({ author, content }) => `${author}\n\n${content}`),
    passages.length === 0
      ? nothingWritten
      : `Contributors\n\n${contributors.map((each) => `${each.name}: ${contributionOf(each)}`).join('\n')}`,
  ]
  return `${parts.join(`\n\n${rule}\n\n`)}\n`
}

const longestRule = (texts: string[]) =>
  texts
    .flatMap((text) => text.match(/^-{3,}$/gm) ?? [])
    .reduce((longest, { length }) => Math.max(longest, length), 2)
