import { RequestError } from '#web/lib/request.ts'
import type { Draft, RequestedSave } from './draft.ts'
import { ConflictError } from './save.ts'

/** Whether the draft is sent as soon as the server can be reached. */
export const isSentLater = (waiting: RequestedSave | undefined): waiting is RequestedSave =>
  waiting !== undefined && waiting.hasConflict === undefined && waiting.refusal === undefined

/** Whether the same request may succeed later: the network is away, a proxy has answered, or the server is busy. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.status >= 500 || error.status === 429
    : error instanceof TypeError || error instanceof SyntaxError

/** Whether the text waits until its person is signed in: nobody is, or somebody else. */
export const needsSignIn = ({ status, code }: RequestError): boolean =>
  status === 401 || code === 'OtherPerson'

/**
 * What becomes of a save after a failure. `before` is what waited before this attempt, and `now` what waits during it. A text
 * that waited stays waiting when the session has ended.
 */
export function afterFailure(
  before: RequestedSave | undefined,
  now: RequestedSave,
  error: unknown,
): RequestedSave | undefined {
  if (error instanceof ConflictError) return { since: now.since, hasConflict: true }
  if (isTemporary(error)) return now
  if (before === undefined || !(error instanceof RequestError)) return before
  if (needsSignIn(error)) return now
  // Without `sent`: the next attempt would repeat the refused text.
  return { since: before.since, refusal: error.error ?? 'The server refused it.' }
}

/** What waits when a draft of a closed tab is opened: another tab may be sending its text at this moment. */
export const restoredSaveOf = ({ waiting, text }: Draft): RequestedSave | undefined =>
  isSentLater(waiting) ? { sent: text, ...waiting } : waiting
