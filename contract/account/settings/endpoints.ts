import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText } from '#contract/schemas.ts'

export const introductionMaxLength = 500

const switches = {
  /** Whether passages carry the person's name instead of 'User {id}'. */
  showName: z.boolean(),
  /** Whether others see that the person is in a room, or writing there. */
  presence: z.boolean(),
  /** Whether the person has a page that everybody can read. On by default once a post carries the person's name. */
  hasPage: z.boolean(),
}

/** What a person has chosen about being seen. */
export const PersonSettings = z.object({
  ...switches,
  /** What the person says about themself on the page; may be empty. */
  introduction: z.string(),
})
export type PersonSettings = z.infer<typeof PersonSettings>

const path = '/api/me/settings'

export const getSettings = endpoint({
  summary: 'Answers what the caller has chosen about being seen.',
  method: 'GET',
  path,
  output: PersonSettings,
})

export const getWritingSample = endpoint({
  summary: 'Answers what the caller wrote about themself at the registration.',
  method: 'GET',
  path: '/api/me/writing-sample',
  /** Null for an account that was made without one. */
  output: z.object({ writingSample: z.nullable(z.string()) }),
})

export const changeSettings = endpoint({
  summary: 'Changes the settings that the body names, and leaves the others.',
  method: 'PATCH',
  path,
  input: z.partial(
    z.object({
      ...switches,
      introduction: AnyText(introductionMaxLength),
      /** The introduction from which the edit started; left out, the last save wins. */
      base: AnyText(introductionMaxLength),
    }),
  ),
  output: PersonSettings,
  errors: ['IntroductionConflict'],
})
