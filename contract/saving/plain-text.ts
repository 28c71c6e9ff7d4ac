import type { SavedText } from './saved-text.ts'

/**
 * A text without marks. Its parts are written as they were typed. The rule between them is a longer row of dashes than any
 * in the text, so that no part can imitate a rule with another part below it.
 */
export function asPlainText({ title, introduction, note, parts, contributors }: SavedText): string {
  const rule = '-'.repeat(1 + longestRule([introduction, ...parts.map(({ content }) => content)]))
  const sections = [
    `${title}\n\n${introduction === '' ? '' : `${introduction}\n\n`}${note}`,
    ...parts.map(({ heading, content }) => `${heading === null ? '' : `${heading}\n\n`}${content}`),
  ]
  if (contributors.length > 0) {
    const list = contributors.map(({ name, contribution }) => `${name}: ${contribution}`)
    sections.push(`Contributors\n\n${list.join('\n')}`)
  }
  return `${sections.join(`\n\n${rule}\n\n`)}\n`
}

const longestRule = (texts: string[]) =>
  texts
    .flatMap((text) => text.match(/^-{3,}$/gm) ?? [])
    .reduce((longest, { length }) => Math.max(longest, length), 2)
