import { useRef, useState } from 'react'
import type { Endpoint, FileRule, OutputOf } from '#contract/endpoint.ts'
import { upload } from './upload.ts'

/** Uploads one file at a time. */
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
    /** Answers null for a cancelled upload; throws what `send` throws. */
    run,
    cancel: () => stopping.current?.abort(),
  }
}
