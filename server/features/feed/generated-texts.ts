import type { Category } from '#contract/feed/categories.ts'
import type { Random } from '#server/platform/ids.ts'
/** Texts written for this project, with alternatives in braces. Line breaks are intended. */
import templates from './generated-texts.json' with { type: 'json' }

export interface GeneratedText {
  content: string
  authorName: string
}

const authorName = 'Z!mmer Workshop'

/** Makes texts of one category, or of all. A template is used again only when all others were used. */
export function generatedTexts(
  count: number,
  category: Category | undefined,
  random: Random,
): GeneratedText[] {
  const known = category === undefined ? Object.values(templates).flat() : templates[category]
  let unused: string[] = []
  return Array.from({ length: count }, () => {
    if (unused.length === 0) unused = [...known]
    const [template] = unused.splice(below(unused.length, random), 1)
    const content = template!.replace(/\{([^}]*)\}/g, (_, alternatives: string) => {
      const all = alternatives.split('|')
      return all[below(all.length, random)]!
    })
    return { content, authorName }
  })
}

const below = (limit: number, random: Random): number => random.bytes(4).readUInt32BE() % limit
