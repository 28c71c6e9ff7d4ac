import * as z from 'zod/mini'
import { defaultDuration, durations } from '#contract/rooms/room.ts'
import { PersonId } from '#contract/schemas.ts'

const RoomChoices = z.object({
  name: z.string(),
  isPublic: z.boolean(),
  duration: z.literal(durations),
  invitedFriends: z.array(PersonId),
})
/** What is chosen for a new room beside its description. */
export type RoomChoices = z.infer<typeof RoomChoices>

export const noChoices: RoomChoices = {
  name: '',
  isPublic: true,
  duration: defaultDuration,
  invitedFriends: [],
}

const keyOf = (owner: string) => `room-draft:${owner}`

export function readChoices(owner: string): RoomChoices {
  try {
    return RoomChoices.parse(JSON.parse(localStorage.getItem(keyOf(owner)) ?? ''))
  } catch {
    return noChoices
  }
}

export function keepChoices(owner: string, choices: RoomChoices): void {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(choices))
  } catch {
    // Then they are chosen again after a reload.
  }
}

export function forgetChoices(owner: string): void {
  try {
    localStorage.removeItem(keyOf(owner))
  } catch {
    // Nothing was kept.
  }
}
