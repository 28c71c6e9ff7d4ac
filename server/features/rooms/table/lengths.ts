import type { InputOf } from '#contract/endpoint.ts'
import type { createRoom } from '#contract/rooms/endpoints.ts'
import {
  defaultFoldedPassageLength,
  defaultPassageLength,
  defaultTurnLength,
} from '#contract/rooms/table/table.ts'

/** The lengths of turns and passages in a new room. A free room has none. */
export function lengthsOf({ turns, isFolded, turnSeconds, passageMax }: InputOf<typeof createRoom>) {
  if (turns === 'free') return { turnSeconds: null, passageMax: null }
  return {
    turnSeconds: turnSeconds ?? defaultTurnLength,
    passageMax: passageMax ?? (isFolded ? defaultFoldedPassageLength : defaultPassageLength),
  }
}
