import { makePdf, type PdfPart } from './make-pdf.ts'

export type FromWorker = { done: number } | { file: Blob; placeholders: number } | { error: string }

const parts: PdfPart[] = []

/** The parts of the text arrive in batches, and its title is the last message. */
addEventListener('message', ({ data }: MessageEvent<PdfPart[] | string>) => {
  if (typeof data !== 'string') return void parts.push(...data)
  const send = (message: FromWorker) => postMessage(message)
  makePdf(data, parts, loadFont, (done) => send({ done })).then(send, (error: unknown) =>
    send({ error: String(error) }),
  )
})

async function loadFont(file: string): Promise<Uint8Array> {
  const answer = await fetch(file)
  if (!answer.ok) throw new Error(`A font could not be loaded (${answer.status})`)
  return new Uint8Array(await answer.arrayBuffer())
}
