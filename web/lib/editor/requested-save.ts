import { RequestError } from '#web/lib/request.ts'
import type { Draft, RequestedSave } from './draft.ts'
import { ConflictError } from './save.ts'

/** Whether the save is repeated as soon as the server can be reached: not after a conflict or a refusal. */
export const isSentLater = (save: RequestedSave | undefined): save is RequestedSave =>
  save !== undefined && save.hasConflict === undefined && save.refusal === undefined

/** Whether the same request may succeed later: the network is away, a proxy has answered, or the server is busy. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.status >= 500 || error.status === 429
    : error instanceof TypeError || error instanceof SyntaxError

/** Whether the text waits until its person is signed in: nobody is, or somebody else. */
export const needsSignIn = ({ status, code }: RequestError): boolean =>
  status === 401 || code === 'OtherPerson'

/**
 * The requested save after a failed attempt; undefined when the first attempt was refused, because the person reads that. `before` is
 * the requested save before the attempt, undefined at the first one. `now` is that of the attempt.
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

/** The requested save of a draft that an editor restores. Another tab may be sending the text at this moment, so it counts as sent. */
export const restoredSaveOf = ({ waiting, text }: Draft): RequestedSave | undefined =>
  isSentLater(waiting) ? { sent: text, ...waiting } : waiting
