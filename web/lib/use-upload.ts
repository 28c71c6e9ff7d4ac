import { useRef, useState } from 'react'
import type { Endpoint, FileRule, OutputOf } from '#contract/endpoint.ts'
import { upload } from './upload.ts'

/** Uploads a file. The caller must not call `run` again before the first call has ended. */
export function useUpload<E extends Endpoint & { file: FileRule }>(endpoint: E) {
  const stopping = useRef<AbortController>(null)
  const [share, setShare] = useState<number | null>(null)

  const run = async (file: File, idempotencyKey: string): Promise<OutputOf<E> | null> => {
    const { signal } = (stopping.current = new AbortController())
    setShare(0)
    try {
      return await upload(endpoint, file, { idempotencyKey, signal, onProgress: setShare })
    } catch (error) {
      if (signal.aborted) return null
      throw error
    } finally {
      setShare(null)
    }
  }
  return {
    /** The share that was sent, from 0 to 1; null while nothing is uploaded. */
    share,
    /** Returns null for a cancelled upload. Throws the refusal of the server, or a TypeError when the connection breaks. */
    run,
    cancel: () => stopping.current?.abort(),
  }
}
