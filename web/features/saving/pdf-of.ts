import type { Entry } from './pdf/make-pdf.ts'

interface PdfWork {
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** A PDF, made in a worker of the browser. `placeholders` is the number of letters that no font has. */
export async function pdfOf(entries: Entry[], work: PdfWork): Promise<{ file: Blob; placeholders: number }> {
  const { exportPdf } = await import('./pdf/export-pdf.ts')
  return exportPdf(entries, work)
}
