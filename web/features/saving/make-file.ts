import { asEpub } from '#contract/saving/epub.ts'
import { asHtml } from '#contract/saving/html.ts'
import { asMarkdown } from '#contract/saving/markdown.ts'
import { asPlainText } from '#contract/saving/plain-text.ts'
import type { SavedText } from '#contract/saving/saved-text.ts'
import type { Format, SavingTask } from './formats.ts'
import { pdfOf } from './pdf-of.ts'
import { pdfParts } from './pdf-parts.ts'

/** Makes the file of a text. `placeholders` is the number of letters that a PDF has no font for. */
export async function makeFile(
  text: SavedText,
  format: Format,
  { onProgress, signal }: SavingTask,
): Promise<{ file: Blob; placeholders: number }> {
  if (format === 'pdf') {
    return pdfOf(text.title, pdfParts(text), {
      signal,
      onProgress: (done, total) => {
        if (total > shownFrom) onProgress(`${done} of ${total} parts are in the file.`, done / total)
      },
    })
  }
  return { file: new Blob([write[format](text)], { type: types[format] }), placeholders: 0 }
}

/** A PDF of so many parts is made so fast that no progress is shown. */
const shownFrom = 20

const write = {
  epub: (text: SavedText) => asEpub({ ...text, book: text.book! }),
  html: asHtml,
  md: asMarkdown,
  txt: asPlainText,
}

const types = {
  epub: 'application/epub+zip',
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}
