import type { PdfPart } from './pdf/make-pdf.ts'

/** A PDF, made in a worker of the browser. `placeholders` is the number of letters that no font has. */
export async function pdfOf(
  title: string,
  parts: PdfPart[],
  work: { onProgress: (done: number, total: number) => void; signal: AbortSignal },
): Promise<{ file: Blob; placeholders: number }> {
  const { exportPdf } = await import('./pdf/export-pdf.ts')
  return exportPdf(title, parts, work)
}

/** What a person reads about letters that no font has. */
export const gapsToast = (placeholders: number) => ({
  title: 'Exported with gaps',
  description: `${placeholders} characters have no letter in our fonts and are shown as boxes.`,
})
