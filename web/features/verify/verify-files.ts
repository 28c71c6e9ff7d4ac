import { textOf } from '#contract/rooms/credit/read-file.ts'
import { type Sentences, sentencesOf } from '#contract/rooms/credit/sentences.ts'
import { verify } from '#contract/rooms/credit/verify.ts'

/** Verifies files of this device, and sends nothing. */
export async function verifyFiles(files: readonly Blob[]): Promise<Sentences> {
  const read = files.map(async (file) => textOf(new Uint8Array(await file.arrayBuffer())))
  return sentencesOf(verify(await Promise.all(read)))
}
