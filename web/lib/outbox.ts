import { isBlank } from '#contract/text.ts'

/** A message with its idempotency key. A retry uses the same key, so that the server stores the message once. */
export interface OutboxMessage {
  text: string
  key: string
}

/** The state of a field whose text is sent as messages. One message is sent at a time. Text typed meanwhile stays in the field. */
export interface Outbox {
  sending: OutboxMessage | null
  /**
   * The text of the field, if the person has changed it since the last send began; null otherwise. When this send fails, the
   * failed message is put above the typed text.
   */
  typed: string | null
  /** Whether the person pressed send during the send of another message. The caller must send the field after `delivered`. */
  isQueued: boolean
  /**
   * The last message whose send failed. The server may have stored it, because only the answer may have been lost. Null
   * after the next send.
   */
  failed: OutboxMessage | null
}

export const emptyOutbox: Outbox = { sending: null, typed: null, isQueued: false, failed: null }

export type OutboxEvent =
  | { kind: 'typed'; text: string }
  /** `key` is for a new message. When the text is that of the failed message, the send is a retry with the key of that message. */
  | { kind: 'send'; text: string; key: string }
  | { kind: 'delivered' }
  | { kind: 'failed' }

/** Returns the outbox after an event. */
export function afterEvent(outbox: Outbox, event: OutboxEvent): Outbox {
  const { sending, typed, isQueued, failed } = outbox
  switch (event.kind) {
    case 'typed':
      return { ...outbox, typed: event.text }
    case 'send': {
      if (isBlank(event.text)) return outbox
      if (sending !== null) return { ...outbox, isQueued: true }
      const isRetry = failed?.text === event.text
      return { ...emptyOutbox, sending: isRetry ? failed : { text: event.text, key: event.key } }
    }
    case 'delivered':
      return { ...emptyOutbox, typed, isQueued: isQueued && !isBlank(typed ?? '') }
    case 'failed':
      return { ...emptyOutbox, typed: typed === null ? null : unconfirmedText(outbox), failed: sending }
  }
}

/** All text that would be lost without a draft: the message that is being sent, then the text typed since. */
export function unconfirmedText({ sending, typed }: Outbox): string {
  if (sending === null) return typed ?? ''
  return isBlank(typed ?? '') ? sending.text : `${sending.text}\n\n${typed}`
}
