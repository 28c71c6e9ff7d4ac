import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Announcement } from '#contract/instance/announcement.ts'
import { instancePages } from '#contract/instance/pages.ts'
import { instanceSwitches } from '#contract/instance/switches.ts'
import { InstanceSettings } from '#contract/instance/settings.ts'
import { Day } from '#contract/schemas.ts'

/** What every page shows of the settings of the instance. */
const InstanceOnPages = z.object({
  /** The pages that have a text. The privacy always has one. */
  pages: z.array(z.enum(instancePages)),
  /** What admins have switched off. */
  off: z.array(z.enum(instanceSwitches)),
  /** Left out without one, and after its end. */
  announcement: z.optional(Announcement),
})

/** What people can do here without an account, and what rooms can be. */
const Access = z.pick(InstanceSettings, {
  registration: true,
  registrationQuestion: true,
  guests: true,
  submissions: true,
  publicRooms: true,
})
export type Access = z.infer<typeof Access>

/** What the page must know of this instance. */
export const AppConfig = z.object({
  timeZone: z.string(),
  /** Today in that zone, by the server's clock. */
  today: Day,
  supportEmail: z.string(),
  companyName: z.string(),
  submissionPortal: z.string(),
  demoMode: z.boolean(),
  /** Whether this instance has a post that everybody may read. */
  hasPosts: z.boolean(),
  /** Whether premium posts of people with an account appear without review. */
  publishesPremium: z.boolean(),
  /** Left out when this instance sends no mails. */
  sendsMail: z.optional(z.literal(true)),
  /** The name of the OpenID Connect provider by which people sign in too. Left out without one. */
  openidName: z.optional(z.string()),
  /** What admins have set for every page. Left out until they set anything. */
  instance: z.optional(InstanceOnPages),
  /** What admins have restricted. Left out while they have restricted nothing. */
  access: z.optional(Access),
})
export type AppConfig = z.infer<typeof AppConfig>

export const getConfig = endpoint({
  summary: 'Answers what a page must know of this installation, such as its time zone.',
  method: 'GET',
  path: '/api/config',
  output: AppConfig,
})
