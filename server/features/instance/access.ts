import { isDeepStrictEqual } from 'node:util'
import type { Access } from '#contract/app/endpoints.ts'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'

/** What admins have restricted, for the configuration of the page. Empty while these settings have their defaults. */
export function accessOf(settings: InstanceSettings): { access?: Access } {
  const access = restrictionsOf(settings)
  return isDeepStrictEqual(access, restrictionsOf(instanceDefaults)) ? {} : { access }
}

const restrictionsOf = ({
  registration,
  registrationQuestion,
  guests,
  submissions,
  publicRooms,
}: InstanceSettings): Access => ({ registration, registrationQuestion, guests, submissions, publicRooms })
