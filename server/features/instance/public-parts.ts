import { isDeepStrictEqual } from 'node:util'
import type { AppConfig } from '#contract/app/endpoints.ts'
import type { PublicInstance } from '#contract/instance/endpoints.ts'
import { type InstancePage, instancePages } from '#contract/instance/pages.ts'
import { instanceSwitches } from '#contract/instance/switches.ts'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'

/** The announcement, unless it has ended. */
export const announcementAt = ({ announcement }: InstanceSettings, now: Date) =>
  announcement !== null && new Date(announcement.endsAt) > now ? announcement : null

/** What the configuration of every page says of the instance now. Undefined while no setting differs from its default. */
export function instanceOnPages(settings: InstanceSettings, now: Date): AppConfig['instance'] {
  const current = announcementAt(settings, now)
  if (isDeepStrictEqual({ ...settings, announcement: current }, instanceDefaults)) return undefined
  return {
    pages: pagesWithText(settings),
    off: instanceSwitches.filter((name) => !settings[name]),
    ...(current && { announcement: current }),
  }
}

export const publicInstanceOf = (settings: InstanceSettings): PublicInstance => {
  const { name, description, welcome, imprint } = settings
  return { name, description, welcome, imprint, pages: pagesWithText(settings) }
}

export const pagesWithText = (settings: InstanceSettings): InstancePage[] =>
  instancePages.filter((page) => page === 'privacy' || settings[page] !== '')

/** Whether a person agrees to something by signing up. */
export const asksForAgreement = ({ terms, rules }: InstanceSettings): boolean => terms !== '' || rules !== ''

/** What stands where the name of the product is the name of the site. */
export const siteNameOf = ({ name }: InstanceSettings): string => name || 'Z!mmer'
