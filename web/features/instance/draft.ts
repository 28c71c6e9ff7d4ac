import * as z from 'zod/mini'
import { InstanceSettings } from '#contract/instance/settings.ts'
import { formChoices } from '#web/lib/form-choices.ts'

/** The settings that an admin has changed and not saved yet, in this browser. */
const InstanceDraft = z.object({
  changes: z.partial(InstanceSettings),
  /** The `updatedAt` of the settings from which the first of these changes started. */
  base: z.nullable(z.string()),
})

export const instanceDraft = formChoices('instance-draft', InstanceDraft, { changes: {}, base: null })
