import * as z from 'zod/mini'
import { defaultDuration, durations } from '#contract/rooms/room.ts'
import { PersonId } from '#contract/schemas.ts'
import { formChoices } from '#web/lib/form-choices.ts'

const RoomChoices = z.object({
  name: z.string(),
  isPublic: z.boolean(),
  duration: z.literal(durations),
  invitedFriends: z.array(PersonId),
})

/** The fields of the form for a new room, without its description. */
export const noChoices: z.infer<typeof RoomChoices> = {
  name: '',
  isPublic: true,
  duration: defaultDuration,
  invitedFriends: [],
}

export const roomChoices = formChoices('room-draft', RoomChoices, noChoices)
