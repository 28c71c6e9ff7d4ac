import { isDeepStrictEqual } from 'node:util'
import {
  changeInstanceSettings,
  getInstance,
  getInstancePage,
  getInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { instanceLabels, type InstanceSettings } from '#contract/instance/settings.ts'
import type { Needs } from '#server/feature.ts'
import { isInstant } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins, sameForAll, withScope } from '#server/platform/http/endpoints/policy.ts'
import type { Instance } from './instance.ts'
import { publicInstanceOf } from './public-parts.ts'
import { networksError } from './sign-ups.ts'
import { instancePageOf } from './text-use.ts'
import { findSettings, saveSettings, type StoredSettings } from './queries.ts'

export interface Deps extends Pick<Needs, 'config'> {
  instance: Instance
}

const changes: LimitRule = { name: 'instance-changes', count: 60, seconds: 60, by: 'person' }
// Terms, privacy, rules and lists of four bytes a character.
const bodyLimit = 512 * 1024
const badBase = { fields: { base: 'base is the updatedAt of an earlier answer.' } }
const badEnd = { fields: { announcement: 'Please choose an end that is still to come.' } }

type Setting = keyof InstanceSettings

export function instanceRoutes({ config, instance }: Deps): Route[] {
  const answerOf = ({ settings, updatedAt }: StoredSettings) => ({
    ...settings,
    updatedAt,
    environment: { name: config.companyName, supportEmail: config.supportEmail },
  })

  return [
    handle(getInstance, withScope('any', sameForAll), { answersFromMemory: true }, async () =>
      publicInstanceOf(instance.settings()),
    ),

    handle(getInstancePage, withScope('any', sameForAll), { answersFromMemory: true }, async ({ params }) =>
      instancePageOf(params.page, instance.settings(), config),
    ),

    handle(getInstanceSettings, admins, async ({ db }) => answerOf(await findSettings(db))),

    handle(changeInstanceSettings, admins, { bodyLimit, limits: [changes] }, async (call) => {
      const { db, input, now, audit, afterCommit, fail } = call
      const { base, ...sent } = input
      if (base !== null && !isInstant(base)) fail('InvalidInput', badBase)
      const before = await findSettings(db)
      if (before.updatedAt !== base) fail('InstanceSettingsConflict', { current: answerOf(before) })
      const changed = changedOf(before.settings, sent)
      if (Object.keys(changed).length === 0) return answerOf(before)
      const endsAt = changed.announcement?.endsAt
      if (endsAt !== undefined && !(isInstant(endsAt) && new Date(endsAt) > now)) fail('InvalidInput', badEnd)
      const badNetworks = changed.refusedNetworks && networksError(changed.refusedNetworks)
      if (badNetworks) fail('InvalidInput', { error: badNetworks, fields: { refusedNetworks: badNetworks } })
      // Another admin may have saved since the line above.
      const saved = await saveSettings(db, base, changed)
      if (saved === undefined)
        return fail('InstanceSettingsConflict', { current: answerOf(await findSettings(db)) })
      await audit('instance-changed', { details: { changed: wordsOf(changed) } })
      afterCommit(instance.noteChange)
      return answerOf(saved)
    }),
  ]
}

/** The settings that have another value than before. */
function changedOf(
  before: InstanceSettings,
  sent: { [S in Setting]?: InstanceSettings[S] | undefined },
): Partial<InstanceSettings> {
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as Setting]),
    ),
  )
}

/** The names of the changed settings, and the values of switches. The audit log holds no texts. */
const wordsOf = (changed: Partial<InstanceSettings>) =>
  Object.entries(changed)
    .map(([name, value]) => {
      const label = instanceLabels[name as Setting]
      return typeof value === 'boolean' ? `${label} ${value ? 'on' : 'off'}` : label
    })
    .join(', ')
