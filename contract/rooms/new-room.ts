import * as z from 'zod/mini'
import {
  descriptionMaxLength,
  durations,
  nameMaxLength,
  openingMaxLength,
  wordGoals,
} from '#contract/rooms/room.ts'
import {
  isSlow,
  passageLengths,
  slowDurations,
  slowTurnLengths,
  turnLengths,
  turnRules,
} from '#contract/rooms/table/table.ts'
import { PersonId, Text } from '#contract/schemas.ts'

const invitedFriendsMax = 50
const notAGoal = `Please choose from ${wordGoals.min} to ${wordGoals.max.toLocaleString('en-US')} words.`

/** What the form of a new room sends. The form checks it too. */
export const NewRoom = z
  .object({
    name: Text(nameMaxLength, 'Please give the Z!mmer a name.'),
    description: Text(descriptionMaxLength, 'Please describe the theme of the story.'),
    isPublic: z.boolean('Please choose whether the Z!mmer is public.'),
    duration: z.literal(
      [...durations, ...slowDurations],
      `Please choose ${durations.slice(0, -1).join(', ')} or ${durations.at(-1)} minutes.`,
    ),
    /** The first members of a private room. A public room ignores them. */
    invitedFriends: z
      .array(PersonId)
      .check(z.maxLength(invitedFriendsMax, `Please invite at most ${invitedFriendsMax} friends.`)),
    turns: z._default(z.enum(turnRules), 'free'),
    isFolded: z._default(z.boolean(), false),
    /** Seconds of a turn. `defaultTurnLength` where it is missing. */
    turnSeconds: z.optional(z.literal([...turnLengths, ...slowTurnLengths])),
    /** Letters of a passage. `defaultPassageLength` or `defaultFoldedPassageLength` where it is missing. */
    passageMax: z.optional(z.literal([...passageLengths])),
    /** How the creator signs. Where it is missing, the setting of the person decides. */
    signsWithName: z.optional(z.boolean()),
    opening: z.optional(Text(openingMaxLength)),
    wordGoal: z.optional(
      z.int(notAGoal).check(z.minimum(wordGoals.min, notAGoal), z.maximum(wordGoals.max, notAGoal)),
    ),
  })
  .check(
    z.refine(({ turns, isFolded }) => turns !== 'free' || !isFolded, {
      path: ['isFolded'],
      error: 'Only a story with turns can be folded.',
    }),
    z.refine(({ turns, turnSeconds }) => turns !== 'free' || turnSeconds === undefined, {
      path: ['turnSeconds'],
      error: 'Where everybody may write at any time, a turn has no length.',
    }),
    z.refine(({ turns, passageMax }) => turns !== 'free' || passageMax === undefined, {
      path: ['passageMax'],
      error: 'Where everybody may write at any time, a passage has no other length.',
    }),
    z.refine(
      ({ duration, turnSeconds }) =>
        slowDurations.some((slow) => slow === duration) === isSlow({ turnSeconds }),
      {
        path: ['duration'],
        error: 'Turns of hours need a Z!mmer of days, and turns of minutes one of hours.',
      },
    ),
  )
