import * as z from 'zod/mini'
import { descriptionMaxLength, durations, nameMaxLength } from '#contract/rooms/room.ts'
import { PersonId, Text } from '#contract/schemas.ts'

const invitedFriendsMax = 50

/** What the form of a new room sends. The form checks it too. */
export const NewRoom = z.object({
  name: Text(nameMaxLength, 'Please give the Z!mmer a name.'),
  description: Text(descriptionMaxLength, 'Please describe the theme of the story.'),
  isPublic: z.boolean('Please choose whether the Z!mmer is public.'),
  duration: z.literal(
    durations,
    `Please choose ${durations.slice(0, -1).join(', ')} or ${durations.at(-1)} minutes.`,
  ),
  /** The first members of a private room. A public room ignores them. */
  invitedFriends: z
    .array(PersonId)
    .check(z.maxLength(invitedFriendsMax, `Please invite at most ${invitedFriendsMax} friends.`)),
})
