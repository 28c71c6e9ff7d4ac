import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

/** What a person has chosen about being seen. */
export const PersonSettings = z.object({
  /** Whether passages carry the person's name instead of 'User {id}'. */
  showName: z.boolean(),
  /** Whether others see that the person is in a room, or writing there. */
  presence: z.boolean(),
})
export type PersonSettings = z.infer<typeof PersonSettings>

const path = '/api/me/settings'

export const getSettings = endpoint({ method: 'GET', path, output: PersonSettings, errors: [] })

/** Changes what is named; the rest stays. */
export const changeSettings = endpoint({
  method: 'PATCH',
  path,
  input: z.partial(PersonSettings),
  output: PersonSettings,
  errors: [],
})
