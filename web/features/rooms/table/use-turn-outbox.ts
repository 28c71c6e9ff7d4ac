import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { roomErrors } from '#contract/rooms/errors.ts'
import type { Room, SentPassage } from '#contract/rooms/room.ts'
import { sendBeforeEndMs } from '#contract/rooms/table/table.ts'
import { isBlank, lengthInCodePoints } from '#contract/text.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import type { OutboxMessage } from '#web/lib/outbox.ts'
import { RequestError } from '#web/lib/request.ts'
import { useOutbox } from '#web/lib/use-outbox.ts'
import { useSendPassage } from '../room/api.ts'
import { type KnownTurn, msLeftOf } from './api.ts'

interface Options {
  room: Room
  user: User
  turn: KnownTurn
  isHolder: boolean
  /** Whether the page sends the text of the field by itself, shortly before the turn ends. */
  sendsAtEnd: boolean
  onSending: (passage: string | null) => void
  onSent: (passage: SentPassage) => void
  /** Called when the server says that the turn is another one. */
  onOutdated: () => void
}

interface Attempt {
  key: string
  input: { content: string; turn: number; next?: string }
}

/** The text in the field of a member. It can be sent during a turn of this person, and otherwise waits for the next one. */
export function useTurnOutbox({
  room,
  user,
  turn,
  isHolder,
  sendsAtEnd,
  onSending,
  onSent,
  onOutdated,
}: Options) {
  const { number, endsAt, aheadMs } = turn
  const { run } = useSendPassage()
  const [isSending, setSending] = useState(false)
  /** The turn that this person is ending, or has ended: by a passage, or by passing it on. The text is then not lost. */
  const [settledIn, setSettledIn] = useState<number | null>(null)
  /** The turn in which a passage was last refused or not delivered. */
  const [failedIn, setFailedIn] = useState<number | null>(null)
  /** The turn of somebody else in which this person tried to send. */
  const [earlyIn, setEarlyIn] = useState<number | null>(null)
  /** The attempt whose answer was lost: the server may have stored its passage. */
  const unanswered = useRef<Attempt | null>(null)
  const nextId = useRef<string>(undefined)

  const attempt = async (tried: Attempt) => {
    unanswered.current = tried
    try {
      const { key: idempotencyKey, input } = tried
      return await run({ params: { id: room.id }, input, idempotencyKey, personId: user.id })
    } catch (error) {
      if (error instanceof RequestError) unanswered.current = null
      throw error
    }
  }
  const deliver = async ({ text, key }: OutboxMessage) => {
    const input = { content: text, turn: number, ...(nextId.current && { next: nextId.current }) }
    const earlier = unanswered.current
    setSettledIn(number)
    try {
      // The answer to a call of an earlier turn was lost. The server answers its repetition as it answered the call, or
      // refuses it when it has not stored the passage: then the text is sent in this turn.
      const repeated = earlier?.key === key && earlier.input.turn !== number ? earlier : null
      const passage =
        repeated === null
          ? await attempt({ key, input: earlier?.key === key ? earlier.input : input })
          : await attempt(repeated).catch((error: unknown) => {
              if (!isOfTurn(codeOf(error))) throw error
              return attempt({ key, input })
            })
      unanswered.current = null
      onSent(passage)
    } catch (error) {
      setSettledIn(null)
      setFailedIn(number)
      if (isOfTurn(codeOf(error))) onOutdated()
      throw error
    }
  }
  const { editor, text, problem, change, send } = useOutbox({
    owner: user.id,
    place: `room/${room.id}`,
    noun: 'passage',
    deliver,
    onSending: (sending) => {
      setSending(sending !== null)
      onSending(sending)
    },
  })
  const lettersLeft = (room.passageMax ?? Infinity) - lengthInCodePoints(text)
  const isReady = isHolder && !isSending && !isBlank(text) && lettersLeft >= 0

  /** The turn that this person held when the hook last ran. */
  const [held, setHeld] = useState<number | null>(null)
  /** The turn that ended while the text in the field was not sent. */
  const [lostIn, setLostIn] = useState<number | null>(null)
  if (isHolder && held !== number) {
    setHeld(number)
    setLostIn(null)
  }
  if (!isHolder && held !== null) {
    setHeld(null)
    if (settledIn !== held && !isBlank(text)) setLostIn(held)
  }

  const sendAtEnd = useEffectEvent(() => {
    if (sendsAtEnd && isReady) void send()
  })
  useEffect(() => {
    if (!isHolder || endsAt === null) return
    const leftMs = msLeftOf({ endsAt, aheadMs }, new Date())
    const timer = setTimeout(() => sendAtEnd(), leftMs - sendBeforeEndMs)
    return () => clearTimeout(timer)
  }, [isHolder, number, endsAt, aheadMs])

  const sentence = () => {
    if (earlyIn === number && !isHolder) return roomErrors.NotYourTurn.error
    const code = editor.state === 'failed' ? codeOf(editor.error) : null
    if (isOfTurn(code)) return isHolder && failedIn !== number ? null : sentenceOf(editor.error, '')
    return problem ?? (lostIn === null ? null : roomErrors.TurnOver.error)
  }
  return {
    editor,
    text,
    problem: sentence(),
    lettersLeft,
    isSending,
    isReady,
    change: (typed: string) => {
      setEarlyIn(null)
      setLostIn(null)
      change(typed)
    },
    /** Sends the text in the turn of this person. `next` is the member whose turn it shall be then. */
    send: async (next?: string) => {
      if (!isHolder) return setEarlyIn(number)
      if (!isReady) return
      nextId.current = next
      await send()
      nextId.current = undefined
    },
    setSettledIn,
  }
}

const isOfTurn = (code: string | null) => code === 'TurnOver' || code === 'NotYourTurn'
