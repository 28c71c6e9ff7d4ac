import { downloadFile } from '#web/lib/download.ts'

export interface Target {
  /** Saves all of the file, or nothing when it fails or is cancelled. */
  save: (content: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal) => Promise<void>
}

type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

/** Asks where to save a file, where the browser can ask. Undefined when the person has closed the question. */
export async function chooseTarget(name: string): Promise<Target | undefined> {
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: Picker }
  if (showSaveFilePicker === undefined) return { save: (content, signal) => download(name, content, signal) }
  try {
    const handle = await showSaveFilePicker({ suggestedName: name })
    return { save: (content, signal) => writeTo(handle, content, signal) }
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined
    return { save: (content, signal) => download(name, content, signal) }
  }
}

/** The browser writes beside the file, and replaces the file at the end. It has made an empty file for a new name. */
async function writeTo(
  handle: FileSystemFileHandle & { remove?: () => Promise<void> },
  content: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
) {
  try {
    await content.pipeTo(await handle.createWritable(), { signal })
  } catch (error) {
    if ((await handle.getFile()).size === 0) await handle.remove?.()
    throw error
  }
}

/** The browser keeps a large blob on disk. */
async function download(name: string, content: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal) {
  const blob = await new Response(content).blob()
  signal.throwIfAborted()
  downloadFile(blob, name)
}
