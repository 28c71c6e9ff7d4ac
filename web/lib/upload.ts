import type { Endpoint, FileRule, OutputOf } from '#contract/endpoint.ts'
import { outputOf, refusalOf } from './request.ts'

interface Uploading {
  idempotencyKey: string
  signal: AbortSignal
  /** Called with the share that was sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/**
 * Uploads a file. Throws the refusal of the server, a TypeError when the connection breaks, or the reason of `signal`. It does
 * not use `fetch`, which reports no progress of an upload.
 */
export async function upload<E extends Endpoint & { file: FileRule }>(
  { method, path, file: { field } }: E,
  file: File,
  { idempotencyKey, signal, onProgress }: Uploading,
): Promise<OutputOf<E>> {
  const form = new FormData()
  form.append(field, file)
  const answer = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.setRequestHeader('idempotency-key', idempotencyKey)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      resolve(new Response(request.responseText, { status: request.status }))
    })
    request.addEventListener('error', () => reject(new TypeError('The connection broke during the upload.')))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
  if (!answer.ok) throw await refusalOf(answer)
  return outputOf(answer)
}
