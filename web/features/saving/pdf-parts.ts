import type { SavedText } from '#contract/saving/saved-text.ts'
import type { PdfPart } from './pdf/make-pdf.ts'

/** The parts of a PDF. The note is the heading of the first one: of the introduction, or of a text that is one part alone. */
export function pdfParts({ introduction, note, parts, contributors }: SavedText): PdfPart[] {
  const [first] = parts
  const isOne = introduction === '' && first?.heading === null
  const headed: PdfPart[] = []
  for (const { heading, content, isContinued } of parts.slice(isOne ? 1 : 0)) {
    if (isContinued) headed.at(-1)!.content += `\n\n${content}`
    else headed.push({ heading: heading ?? '', content })
  }
  const list = contributors.map(({ name, contribution }) => `${name}: ${contribution}`)
  return [
    { heading: note, content: isOne ? first.content : introduction },
    ...headed,
    ...(list.length === 0 ? [] : [{ heading: 'Contributors', content: list.join('\n') }]),
  ]
}
