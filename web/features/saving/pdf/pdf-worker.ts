import { type Entry, makePdf } from './make-pdf.ts'

export type FromWorker = { done: number } | { file: Blob; placeholders: number } | { error: string }

const entries: Entry[] = []

/** The entries arrive in parts. An empty part is the last one. */
addEventListener('message', ({ data }: MessageEvent<Entry[]>) => {
  entries.push(...data)
  if (data.length > 0) return
  const send = (message: FromWorker) => postMessage(message)
  makePdf(entries, loadFont, (done) => send({ done })).then(send, (error: unknown) =>
    send({ error: String(error) }),
  )
})

async function loadFont(file: string): Promise<Uint8Array> {
  const answer = await fetch(file)
  if (!answer.ok) throw new Error(`A font could not be loaded (${answer.status})`)
  return new Uint8Array(await answer.arrayBuffer())
}
