import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

// The sample texts were written for this project. Line breaks are intended.

const Texts = z.strictObject({ content: z.string().check(z.minLength(1)) })
const DaysAgo = z.int().check(z.minimum(0))

export const samplePeople = read('people', z.array(z.string()))

/** A person of `samplePeople`, by the place in the list. */
const By = z.int().check(z.minimum(0), z.maximum(samplePeople.length - 1))

export const samplePosts = read('posts', z.array(z.extend(Texts, { by: By, daysAgo: DaysAgo })))

export const samplePending = read('waiting-posts', z.array(z.extend(Texts, { by: By })))

const Days = z.array(z.extend(Texts, { daysAgo: DaysAgo }))
/** The diary of the demo account, and its notes in the calendar. */
export const [sampleDiary, sampleNotes] = [read('diary', Days), read('notes', Days)]

/** Some are open, two are finished stories. */
export const sampleRooms = read(
  'rooms',
  z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      isPublic: z.boolean(),
      duration: z.literal([15, 30, 60, 120]),
      /** When it was opened, in minutes before now. */
      minutesAgo: DaysAgo,
      /** The first one opened it. */
      members: z.array(By).check(z.minLength(1)),
      passages: z.array(z.extend(Texts, { by: By })),
    }),
  ),
)

function read<T extends z.ZodMiniType>(name: string, schema: T): z.output<T> {
  return schema.parse(JSON.parse(readFileSync(join(import.meta.dirname, `content/${name}.json`), 'utf8')))
}
