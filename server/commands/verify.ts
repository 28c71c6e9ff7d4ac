import { readFile } from 'node:fs/promises'
import { textOf } from '#contract/rooms/credit/read-file.ts'
import { sentencesOf } from '#contract/rooms/credit/sentences.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/** Verifies the files of a story. Returns the verdict in words, and fails with it when something is false. */
export async function verifyFiles(paths: readonly string[]): Promise<string> {
  const files = await Promise.all(paths.map(async (path) => textOf(await readFile(path))))
  const { isVerified, heading, lines } = sentencesOf(verify(files))
  const words = [`${heading}.`, ...lines].join('\n')
  if (isVerified) return words
  throw new OperatorError(words)
}
