import * as z from 'zod/mini'
import { isDay } from '#contract/days.ts'
import { idPattern, personIdPattern } from '#contract/ids.ts'
import { fits, hasRefusedCharacters, hasTooManyMarks, isBlank, marksMax, withLf } from '#contract/text.ts'

/** What every stored text keeps to (S28, S51). */
export const storable = [
  z.refine<string>((text) => !hasRefusedCharacters(text), 'This text holds characters that cannot be kept.'),
  z.refine<string>(
    (text) => !hasTooManyMarks(text),
    `Please use at most ${marksMax} combining marks in a row.`,
  ),
] as const

/** Text of people: kept as typed but for CRLF, at most `max` code points; may be empty. */
export const AnyText = (max: number, message = `Please write at most ${max} characters.`) =>
  z.pipe(
    z.string('Please write some text.').check(
      ...storable,
      z.refine((text) => fits(withLf(text), max), message),
      z.meta({ maxLength: max }),
    ),
    z.transform(withLf),
  )

/** Like `AnyText`, and never blank. */
export const Text = (max: number, blank = 'Please write some text.') =>
  z.pipe(
    z.string(blank).check(
      z.refine((text) => !isBlank(text), blank),
      ...storable,
      z.refine((text) => fits(withLf(text), max), `Please write at most ${max} characters.`),
      z.meta({ maxLength: max }),
    ),
    z.transform(withLf),
  )

/** Everything but people: UUIDv7 in canonical lower case. */
export const Id = z.string().check(z.regex(idPattern))

export const PersonId = z.string().check(z.regex(personIdPattern))

/** A calendar day, `yyyy-MM-dd`. */
export const Day = z
  .string('Please choose a day.')
  .check(z.refine(isDay, 'Please choose a real day, such as 2025-06-10.'))

/** ISO 8601 in UTC with milliseconds. */
export const Instant = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/))

/** How the description of the API shows a parameter that is parsed from the text of an address. */
export const inAddress = (shown: { type: string; minimum?: number; description?: string }) =>
  z.meta({ pattern: undefined, enum: undefined, ...shown })

/** `limit` and `before` of a list: `limit` over `max` is cut to it; `before` is the cursor of `Next-Before`. */
export const Page = (max: number) =>
  z.object({
    limit: z.optional(
      z.pipe(
        z.string().check(
          z.regex(/^[1-9]\d{0,5}$/, 'limit is a whole number from 1 on.'),
          inAddress({
            type: 'integer',
            minimum: 1,
            description: `A larger number than ${max} means ${max}.`,
          }),
        ),
        z.transform((text) => Math.min(Number(text), max)),
      ),
    ),
    before: z.optional(
      z.string().check(z.regex(/^[\w.:-]{1,200}$/, 'before is a cursor of an earlier answer.')),
    ),
  })

export const Done = z.object({ ok: z.literal(true) })
export const done = { ok: true } as const
