import { startWorker } from '#web/lib/workers.ts'
import type { PdfPart } from './make-pdf.ts'
import type { FromWorker } from './pdf-worker.ts'

/** Makes the file in a worker, so that the page stays responsive. Rejects with an AbortError when cancelled. */
export async function exportPdf(
  title: string,
  parts: PdfPart[],
  { onProgress, signal }: { onProgress: (done: number, total: number) => void; signal: AbortSignal },
): Promise<{ file: Blob; placeholders: number }> {
  signal.throwIfAborted()
  const worker = startWorker('saving/pdf/pdf-worker')
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')), {
        once: true,
      })
      worker.addEventListener('error', ({ message }) =>
        reject(new Error(message || 'The worker did not start')),
      )
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
        if ('done' in data) onProgress(data.done, parts.length)
        else if ('error' in data) reject(new Error(data.error))
        else resolve(data)
      })
      void send(title, parts, worker, signal)
    })
  } finally {
    worker.terminate()
  }
}

const batchSize = 100

/** Sends the parts in batches, and then the title. Copying a long text at once would block the page. */
async function send(title: string, parts: PdfPart[], worker: Worker, signal: AbortSignal) {
  for (let from = 0; from < parts.length && !signal.aborted; from += batchSize) {
    worker.postMessage(parts.slice(from, from + batchSize))
    await new Promise((resolve) => setTimeout(resolve))
  }
  worker.postMessage(title)
}
