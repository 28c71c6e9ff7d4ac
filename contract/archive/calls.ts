import type { Endpoint, OutputOf } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** What a call of the archive sends. */
export interface Sending {
  params?: Record<string, string>
  query?: Record<string, string>
}

/**
 * How the data for an archive is read. The page sends requests, and the command runs the handlers itself. Both read as the
 * owner of the data. Undefined means that the thing is gone or damaged.
 */
export interface ArchiveCalls {
  read<E extends Endpoint>(endpoint: E, sent: Sending): Promise<Answer<OutputOf<E>> | undefined>
  readFile(endpoint: Endpoint, sent: Sending): Promise<Uint8Array | undefined>
}

/** Whether a refusal says that the thing is gone or damaged. The archive then leaves this thing out and goes on. */
export const isGoneOrDamaged = ({ status, code }: { status: number; code: ErrorCode | null }): boolean =>
  status === 404 || code === 'DocumentDamaged' || code === 'DraftDamaged'

export interface Answer<Output> {
  output: Output
  /** The cursor of the next page of a list. */
  nextBefore: string | undefined
}

/** An endpoint that answers a list in pages. */
type List<Row> = Endpoint & { output: { _zod: { output: Row[] } } }

/** The pages of a list, in the order in which the cursors lead through them. */
export async function* pagesOf<Row>(
  calls: ArchiveCalls,
  endpoint: List<Row>,
  { limit, ...sent }: Sending & { limit?: number } = {},
): AsyncGenerator<Row[]> {
  let before: string | undefined
  do {
    const query = {
      ...(limit !== undefined && { limit: String(limit) }),
      ...(before !== undefined && { before }),
    }
    const answer = await calls.read(endpoint, { ...sent, query })
    if (answer === undefined) return
    yield answer.output as Row[]
    before = answer.nextBefore
  } while (before !== undefined)
}

export async function* rowsOf<Row>(
  calls: ArchiveCalls,
  endpoint: List<Row>,
  sent: Sending & { limit?: number } = {},
): AsyncGenerator<Row> {
  for await (const page of pagesOf(calls, endpoint, sent)) yield* page
}

/** A list that is short enough to be read as a whole. */
export async function allOf<Row>(calls: ArchiveCalls, endpoint: List<Row>): Promise<Row[]> {
  const all: Row[] = []
  for await (const row of rowsOf(calls, endpoint)) all.push(row)
  return all
}
