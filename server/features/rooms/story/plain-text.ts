import { contributionOf, nothingWritten, type Story } from './story.ts'

/**
 * A story as plain text. Passages are written as they were typed. The rule between them is a longer row of dashes than any
 * in the story, so that no passage can imitate a rule with a passage of another author below it.
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
