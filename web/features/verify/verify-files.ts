import { textOf } from '#contract/rooms/credit/read-file.ts'
import { type Sentences, sentencesOf } from '#contract/rooms/credit/sentences.ts'
import { verify } from '#contract/rooms/credit/verify.ts'

/** Verifies files of this device, and sends nothing. */
export async function verifyFiles(files: readonly Blob[]): Promise<Sentences> {
  const reads = files.map(async (file) => textOf(new Uint8Array(await file.arrayBuffer())))
  const texts = await Promise.all(reads).catch(() => null)
  return texts === null ? unreadable : sentencesOf(verify(texts))
}

/** A file that was chosen may be gone. */
const unreadable: Sentences = {
  isVerified: false,
  heading: 'Not verified',
  lines: ['A file could not be read.'],
}
