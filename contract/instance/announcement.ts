import * as z from 'zod/mini'
import { Instant, Text } from '#contract/schemas.ts'

export const announcementMaxLength = 500
const linkMaxLength = 500

/** A path of the instance, or an https address. Browsers read `\` as `/`, and skip white space. */
const linkPattern = /^(\/(?![/\\])|https:\/\/[^\s/?#\\@]+(?=[/?#]|$))\S*$/

/** An announcement as an admin enters it. */
export const AnnouncementFields = z.object({
  text: Text(announcementMaxLength),
  link: z.nullable(
    z
      .string()
      .check(
        z.maxLength(linkMaxLength, `Please enter at most ${linkMaxLength} characters.`),
        z.regex(linkPattern, 'Please enter an https address, or a path of this instance such as /rules.'),
      ),
  ),
  endsAt: Instant,
})

/** What stands above every page until it ends. */
export const Announcement = z.object({ text: z.string(), link: z.nullable(z.string()), endsAt: z.string() })
export type Announcement = z.infer<typeof Announcement>
