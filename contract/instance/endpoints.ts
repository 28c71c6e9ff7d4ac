import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { instancePages } from '#contract/instance/pages.ts'
import { InstanceFields, InstanceSettings } from '#contract/instance/settings.ts'
import { Instant } from '#contract/schemas.ts'

/** What everybody may read of the settings. A setting for admins alone is not named here. */
export const PublicInstance = z.extend(
  z.pick(InstanceSettings, { name: true, description: true, welcome: true, imprint: true }),
  {
    /** The pages that have a text. The privacy always has one. */
    pages: z.array(z.enum(instancePages)),
  },
)
export type PublicInstance = z.infer<typeof PublicInstance>

export const getInstance = endpoint({
  summary: 'Answers how the instance presents itself.',
  description: 'A text that no admin has set is empty.',
  method: 'GET',
  path: '/api/instance',
  output: PublicInstance,
})

export const InstancePageTexts = z.object({ content: z.string(), textUse: z.optional(z.array(z.string())) })

export const getInstancePage = endpoint({
  summary: 'Answers the terms, the privacy or the rules of the instance.',
  description:
    'A line that begins with `# ` or `## ` is a heading. A text that no admin has set is empty. `textUse` are paragraphs of the program about the use of texts, which the privacy alone has.',
  method: 'GET',
  path: '/api/instance/:page',
  params: z.object({ page: z.enum(instancePages) }),
  output: InstancePageTexts,
})

/** All settings, with what a change needs. */
export const StoredInstanceSettings = z.extend(InstanceSettings, {
  /** The `base` of the next change; null before the first change. */
  updatedAt: z.nullable(Instant),
  /** The settings of the environment that hold while the setting of the same name is empty. */
  environment: z.object({ name: z.string(), supportEmail: z.string() }),
})
export type StoredInstanceSettings = z.infer<typeof StoredInstanceSettings>

const path = '/api/admin/instance'

export const getInstanceSettings = endpoint({
  summary: 'Answers the settings of the instance.',
  method: 'GET',
  path,
  output: StoredInstanceSettings,
})

export const changeInstanceSettings = endpoint({
  summary: 'Changes the settings that the body names, and leaves the others.',
  description:
    'All processes have the new settings within 2 s. When another admin has changed any setting since `base`, nothing is changed.',
  method: 'PATCH',
  path,
  input: z.extend(z.partial(InstanceFields), {
    /** The `updatedAt` of the settings from which the edit started. */
    base: z.nullable(Instant),
  }),
  output: StoredInstanceSettings,
  errors: ['InstanceSettingsConflict'],
})
