import type { PdfPart } from './pdf/make-pdf.ts'

interface PdfWork {
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** A PDF, made in a worker of the browser. `placeholders` is the number of letters that no font has. */
export async function pdfOf(
  title: string,
  parts: PdfPart[],
  work: PdfWork,
): Promise<{ file: Blob; placeholders: number }> {
  const { exportPdf } = await import('./pdf/export-pdf.ts')
  return exportPdf(title, parts, work)
}

/** What a person reads about letters that no font has. */
export const gapsToast = (placeholders: number) => ({
  title: 'Exported with gaps',
  description: `${placeholders} characters have no letter in our fonts and are shown as boxes.`,
})
