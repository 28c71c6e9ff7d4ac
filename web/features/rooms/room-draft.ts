import * as z from 'zod/mini'
import { defaultDuration, durations } from '#contract/rooms/room.ts'
import {
  defaultFoldedPassageLength,
  defaultPassageLength,
  defaultSlowDuration,
  defaultTurnLength,
  isSlow,
  passageLengths,
  slowDurations,
  slowTurnLengths,
  turnLengths,
  turnRules,
} from '#contract/rooms/table/table.ts'
import { PersonId } from '#contract/schemas.ts'
import { isBlank } from '#contract/text.ts'
import { formChoices } from '#web/lib/form-choices.ts'

const RoomChoices = z.object({
  name: z.string(),
  isPublic: z.boolean(),
  duration: z.literal([...durations, ...slowDurations]),
  invitedFriends: z.array(PersonId),
  turns: z._default(z.enum(turnRules), 'free'),
  isFolded: z._default(z.boolean(), false),
  turnSeconds: z._default(z.literal([...turnLengths, ...slowTurnLengths]), defaultTurnLength),
  /** Missing until the person chooses it. */
  passageMax: z.optional(z.literal([...passageLengths])),
  opening: z._default(z.string(), ''),
  /** As typed. */
  wordGoal: z._default(z.string(), ''),
})
export type RoomChoices = z.infer<typeof RoomChoices>

/** The fields of the form for a new room, without its description. */
export const noChoices: RoomChoices = {
  name: '',
  isPublic: true,
  duration: defaultDuration,
  invitedFriends: [],
  turns: 'free',
  isFolded: false,
  turnSeconds: defaultTurnLength,
  opening: '',
  wordGoal: '',
}

export const roomChoices = formChoices('room-draft', RoomChoices, noChoices)

/** A folded story suggests shorter passages. */
export const passageMaxOf = ({ passageMax, isFolded }: RoomChoices) =>
  passageMax ?? (isFolded ? defaultFoldedPassageLength : defaultPassageLength)

/** The choices after another length of a turn. A Z!mmer lasts days when its turns last hours. */
export const withTurnSeconds = (
  choices: RoomChoices,
  turnSeconds: RoomChoices['turnSeconds'],
): Pick<RoomChoices, 'turnSeconds' | 'duration'> => ({
  turnSeconds,
  duration:
    isSlow({ turnSeconds }) === isSlow(choices)
      ? choices.duration
      : isSlow({ turnSeconds })
        ? defaultSlowDuration
        : defaultDuration,
})

/** The durations that a person may choose. */
export const durationsOf = (choices: RoomChoices): readonly RoomChoices['duration'][] =>
  isSlow(choices) ? slowDurations : durations

/** What the form sends of these fields. Where everybody may write at any time, the others have no meaning. */
export function turnsOf(choices: RoomChoices) {
  const { turns, isFolded, turnSeconds } = choices
  return turns === 'free' ? {} : { turns, isFolded, turnSeconds, passageMax: passageMaxOf(choices) }
}

/** What the form sends of the opening and of the goal, which may be typed as 2,000. Fields that are left empty are not sent. */
export const beginningOf = ({ opening, wordGoal }: RoomChoices) => ({
  ...(!isBlank(opening) && { opening }),
  ...(!isBlank(wordGoal) && { wordGoal: Number(wordGoal.replace(/[\s,]/g, '')) }),
})
