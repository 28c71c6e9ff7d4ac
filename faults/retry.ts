import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

type Call = () => Promise<Response>
export type KeyHeader = { 'idempotency-key': string }

export const newKey = (): KeyHeader => ({ 'idempotency-key': randomUUID() })

/** Returns undefined when no answer came, or one that asks for another try. */
export async function callOnce(call: Call): Promise<{ status: number; text: string } | undefined> {
  try {
    const answer = await call()
    const text = await answer.text()
    return answer.status < 500 ? { status: answer.status, text } : undefined
  } catch {
    // The connection was cut.
    return undefined
  }
}

const answerWithinMs = 60_000

/**
 * Repeats a call until an answer comes, or until `givesUp` returns true. `isFirst`: no earlier try was left without an
 * answer.
 */
export async function retry(call: Call, givesUp = () => false) {
  const deadline = Date.now() + answerWithinMs
  for (let isFirst = true; Date.now() < deadline; isFirst = false) {
    const answer = await callOnce(call)
    if (answer !== undefined) return { ...answer, isFirst }
    if (givesUp()) return undefined
    await delay(20)
  }
  throw new Error(`No answer came within ${answerWithinMs} ms.`)
}

/** Repeats a change with the same key until it is acknowledged, as our page does. A refusal is thrown. */
export async function untilAcknowledged<Answer>(
  send: (headers: KeyHeader) => Promise<Response>,
): Promise<Answer> {
  const headers = newKey()
  const { status, text } = (await retry(() => send(headers)))!
  if (status >= 400) throw new Error(`${status} ${text}`)
  return JSON.parse(text) as Answer
}
