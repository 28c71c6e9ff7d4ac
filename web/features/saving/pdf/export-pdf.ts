import { startWorker } from '#web/lib/workers.ts'
import type { Entry } from './make-pdf.ts'
import type { FromWorker } from './pdf-worker.ts'

/** Makes the file in a worker, so that the page stays responsive. Rejects with an AbortError when cancelled. */
export async function exportPdf(
  entries: Entry[],
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
        if ('done' in data) onProgress(data.done, entries.length)
        else if ('error' in data) reject(new Error(data.error))
        else resolve(data)
      })
      void send(entries, worker, signal)
    })
  } finally {
    worker.terminate()
  }
}

const partSize = 100

/** Sends the entries in parts, and then an empty part. Copying a long diary at once would block the page. */
async function send(entries: Entry[], worker: Worker, signal: AbortSignal) {
  for (let from = 0; from < entries.length && !signal.aborted; from += partSize) {
    worker.postMessage(entries.slice(from, from + partSize))
    await new Promise((resolve) => setTimeout(resolve))
  }
  worker.postMessage([])
}
