import { makeZip } from 'client-zip'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import type { ByteFile } from '#contract/archive/add-manifest.ts'
import { archiveFiles } from '#contract/archive/archive-files.ts'
import type { ArchiveCalls } from '#contract/archive/calls.ts'
import { manifestPath } from '#contract/archive/layout.ts'
import type { ArchivePart } from '#contract/archive/parts.ts'
import { callsOverNetwork, type RetryOptions } from './calls-over-network.ts'
import type { Target } from './choose-target.ts'
import { localFiles } from './local-files.ts'

/** A person who is signed in, or the token of a suspended person. */
export type Exporter = { user: User } | { token: string }

interface Exporting extends Omit<RetryOptions, 'token'> {
  by: Exporter
  target: Target
  /** Gets the part that is being read, and how many files of it are done. */
  onProgress: (part: ArchivePart, files: number) => void
}

/** Reads everything of the person into one ZIP, file by file, and saves it. Returns the number of files. */
export async function exportArchive({ by, target, onProgress, ...retryOptions }: Exporting): Promise<number> {
  const network = callsOverNetwork({ ...retryOptions, token: 'token' in by ? by.token : undefined })
  let failure: unknown
  const noted = <T>(answer: Promise<T>) =>
    answer.catch((error: unknown) => {
      failure = error
      throw error
    })
  const calls: ArchiveCalls = {
    read: (endpoint, sent) => noted(network.read(endpoint, sent)),
    readFile: (endpoint, sent) => noted(network.readFile(endpoint, sent)),
  }
  const user = 'user' in by ? by.user : (await calls.read(getMe, {}))!.output
  let now: { part: ArchivePart; files: number } | undefined
  let count = 0
  const files = archiveFiles({
    calls,
    person: user,
    origin: location.origin,
    localFiles: await localFiles(user.id),
    now: () => new Date(),
    onPart(part) {
      now = { part, files: 0 }
      onProgress(part, 0)
    },
  })
  async function* entries() {
    for await (const file of ofOnePerson(files, calls, user.id)) {
      yield { name: file.path, input: inTurns(file.content) as AsyncIterable<Uint8Array<ArrayBuffer>> }
      count++
      if (now !== undefined) onProgress(now.part, ++now.files)
    }
  }
  try {
    await target.save(makeZip(entries()) as ReadableStream<Uint8Array<ArrayBuffer>>, retryOptions.signal)
  } catch (error) {
    // Of a stream that failed a browser may say only that it failed.
    throw failure ?? error
  }
  return count
}

/** How long the page may be busy before it answers a click. */
const turnMs = 12
let turnStart = 0

/** Lets the page do other work in between: what has arrived would otherwise be packed without a pause. */
async function* inTurns(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const slice of content) {
    yield slice
    if (performance.now() - turnStart < turnMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    turnStart = performance.now()
  }
}

/** Fails before the manifest when somebody else has signed in meanwhile, such as in another tab. */
async function* ofOnePerson(files: AsyncIterable<ByteFile>, calls: ArchiveCalls, id: string) {
  for await (const file of files) {
    if (file.path === manifestPath && (await calls.read(getMe, {}))?.output.id !== id)
      throw new Error('Somebody else has signed in.')
    yield file
  }
}
