import { useEffect, useRef, useState } from 'react'
import { isBlank, withLf } from '#contract/text.ts'
import { nothingStored, type Editor, useEditor } from './editor/use-editor.ts'
import { afterEvent, emptyOutbox, type OutboxEvent, type OutboxMessage, unconfirmedText } from './outbox.ts'
import { runningSends } from './running-sends.ts'
import { sentenceOf } from './use-action.ts'
import { randomId } from './session-keys.ts'

interface Options {
  /** The owner and the place of the draft. */
  owner: string
  place: string
  /** The word for a message in the sentences of the page. */
  noun: string
  /** Sends a message to the server. Rejects when the message was not delivered. */
  deliver: (message: OutboxMessage) => Promise<void>
  /** Called with the text of each message when its send begins, and with null when the send has ended or failed. */
  onSending: (text: string | null) => void
}

const idOf = (owner: string, place: string) => JSON.stringify([owner, place])

/**
 * Whether an earlier field of this place, which was closed, is still sending. The draft of the place contains the message
 * until the server has it. A new field would therefore show the message again.
 */
export function useIsStillSending(owner: string, place: string): boolean {
  const id = idOf(owner, place)
  const [isSending, setIsSending] = useState(() => runningSends.has(id))
  useEffect(() => {
    let isOpen = true
    void Promise.resolve(runningSends.get(id)).then(() => isOpen && setIsSending(false))
    return () => {
      isOpen = false
    }
  }, [id])
  return isSending
}

/**
 * Remembers the text of the message that is being sent, for the list to show. `sending` is null once the list has the message, because
 * the event with the message may arrive before the answer of the call. `newest` is the position of the newest item of the list.
 * `isArrived` says whether the list has an item with the text after a position.
 */
export function useSending<Position>(
  newest: Position,
  isArrived: (text: string, after: Position) => boolean,
) {
  const [sent, setSent] = useState<{ text: string; after: Position } | null>(null)
  return {
    sending: sent === null || isArrived(withLf(sent.text), sent.after) ? null : sent.text,
    setSending: (text: string | null) => setSent(text === null ? null : { text, after: newest }),
  }
}

interface OutboxField {
  editor: Editor
  /** The text of the field: empty while a message is being sent, until the person types more. */
  text: string
  /** Why the last message was not sent; null when it was. */
  problem: string | null
  change: (text: string) => void
  send: () => Promise<void>
}

/** A field whose text is sent as messages, one after the other. The draft is stored until the server has the message. */
export function useOutbox({ owner, place, noun, deliver, onSending }: Options): OutboxField {
  const [outbox, setOutbox] = useState(emptyOutbox)
  // `send` continues after renders, so it needs the current outbox.
  const latest = useRef(emptyOutbox)
  const apply = (event: OutboxEvent) => {
    const before = latest.current
    latest.current = afterEvent(before, event)
    setOutbox(latest.current)
    const { sending } = latest.current
    if (sending !== before.sending) onSending(sending?.text ?? null)
  }
  /** To save the draft of the editor means to send it as a message. The stored text is always empty. */
  const save = async (draft: string) => {
    apply({ kind: 'send', text: draft, key: randomId() })
    const { sending } = latest.current
    if (sending === null) return nothingStored
    try {
      await deliver(sending)
    } catch (error) {
      apply({ kind: 'failed' })
      throw error
    }
    return nothingStored
  }
  const editor = useEditor({ owner, place, stored: nothingStored, save })
  const sendAll = async () => {
    do {
      await editor.save()
      if (latest.current.sending === null) return
      apply({ kind: 'delivered' })
      // The draft then contains only the text typed since the send.
      if (latest.current.typed !== null) editor.change(latest.current.typed)
    } while (latest.current.isQueued)
  }
  const text = outbox.sending === null ? editor.text : (outbox.typed ?? '')

  return {
    editor,
    text,
    problem: editor.state === 'failed' ? problemOf(editor.error, noun) : null,
    change: (typed) => {
      apply({ kind: 'typed', text: typed })
      // After a reload only the draft is left. Therefore it also contains the message that is being sent.
      editor.change(unconfirmedText(latest.current))
    },
    send: async () => {
      if (latest.current.sending !== null) return apply({ kind: 'send', text, key: randomId() })
      if (isBlank(text)) return
      const id = idOf(owner, place)
      const sending = sendAll().finally(() => runningSends.delete(id))
      runningSends.set(id, sending)
      await sending
    },
  }
}

const problemOf = (error: unknown, noun: string) => {
  const refusal = sentenceOf(error, '')
  return refusal === ''
    ? `Your ${noun} could not be sent yet. It is still here.`
    : `${refusal} Your ${noun} is still here.`
}
