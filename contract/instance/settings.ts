import * as z from 'zod/mini'
import { registrationModes } from '#contract/account/registration/rules.ts'
import { accentNames } from '#contract/instance/accents.ts'
import { Announcement, AnnouncementFields } from '#contract/instance/announcement.ts'
import { iconNames } from '#contract/instance/icons.ts'
import { Lines } from '#contract/instance/lines.ts'
import {
  refusedEmailError,
  refusedEmailsCharactersMax,
  refusedEmailsMax,
  refusedNetworksCharactersMax,
  refusedNetworksMax,
} from '#contract/instance/refused-sign-ups.ts'
import { watchedCharactersMax, watchedLineError, watchedLinesMax } from '#contract/instance/watched-words.ts'
import { AnyText } from '#contract/schemas.ts'

/** The longest text of a page such as the terms, in characters. */
const instancePageMax = 20_000

const Line = (max: number) =>
  AnyText(max).check(z.refine((text) => !/\p{Cc}/u.test(text), 'Please write one line.'))

/**
 * The settings of the instance as admins enter them. An empty text is not set. A further setting is a line here, in
 * `InstanceSettings`, in `instanceDefaults` and in `instanceLabels`. It needs no migration: all settings are one JSON value.
 */
export const InstanceFields = z.object({
  name: Line(60),
  description: Line(300),
  welcome: AnyText(1000),
  supportEmail: Line(100).check(
    z.refine(
      (text) => text === '' || /^[^\s@?&]+@[^\s@?&]+$/.test(text),
      'Please enter an email address, or nothing.',
    ),
  ),
  imprint: AnyText(2000),
  accent: z.enum(accentNames),
  icon: z.enum(iconNames),
  terms: AnyText(instancePageMax),
  privacy: AnyText(instancePageMax),
  rules: AnyText(instancePageMax),
  competition: z.boolean(),
  premium: z.boolean(),
  tips: z.boolean(),
  samples: z.boolean(),
  registration: z.enum(registrationModes),
  registrationQuestion: Line(300),
  guests: z.boolean(),
  submissions: z.boolean(),
  publicRooms: z.boolean(),
  announcement: z.nullable(AnnouncementFields),
  watchedWords: Lines({
    maxLines: watchedLinesMax,
    maxCharacters: watchedCharactersMax,
    errorOf: watchedLineError,
  }),
  refusedEmails: Lines({
    maxLines: refusedEmailsMax,
    maxCharacters: refusedEmailsCharactersMax,
    errorOf: refusedEmailError,
  }),
  // The server alone reads networks.
  refusedNetworks: Lines({ maxLines: refusedNetworksMax, maxCharacters: refusedNetworksCharactersMax }),
  modelTraining: z.boolean(),
})

/** The same settings as they are stored and answered. */
export const InstanceSettings = z.object({
  /** The name of the instance. Wins over COMPANY_NAME. */
  name: z.string(),
  description: z.string(),
  /** What people read who sign up. */
  welcome: z.string(),
  /** The address for questions. Wins over SUPPORT_EMAIL. */
  supportEmail: z.string(),
  /** Who runs the instance. */
  imprint: z.string(),
  /** The accent colour of pages, mails and pictures. */
  accent: z.enum(accentNames),
  /** The icon of tabs, of the installed app and of notifications. */
  icon: z.enum(iconNames),
  terms: z.string(),
  privacy: z.string(),
  rules: z.string(),
  /** The writing competition of the month. */
  competition: z.boolean(),
  /** Premium publishing, and with it scheduled posts of people who are no admins. */
  premium: z.boolean(),
  /** Tips, and messages that are paid for. */
  tips: z.boolean(),
  /** The sample creators with their page. */
  samples: z.boolean(),
  registration: z.enum(registrationModes),
  /** What people answer who wait for a decision; empty for no question. */
  registrationQuestion: z.string(),
  /** Whether people can enter without an account. */
  guests: z.boolean(),
  /** Whether visitors and guests can submit posts. */
  submissions: z.boolean(),
  /** Whether new rooms can be public. */
  publicRooms: z.boolean(),
  announcement: z.nullable(Announcement),
  /** Words and phrases, one a line. A post with one of them waits for review. */
  watchedWords: z.string(),
  /** Domains and email addresses, one a line. Nobody signs up by one of them. */
  refusedEmails: z.string(),
  /** Networks, one a line. Nobody signs up from one of them. */
  refusedNetworks: z.string(),
  /** Whether crawlers that train models may read what everybody can read. */
  modelTraining: z.boolean(),
})
export type InstanceSettings = z.output<typeof InstanceSettings>

/** What is true until an admin changes a setting. A stored value without one of the fields has it from here. */
export const instanceDefaults: InstanceSettings = {
  name: '',
  description: '',
  welcome: '',
  supportEmail: '',
  imprint: '',
  accent: 'lamp',
  icon: 'mark',
  terms: '',
  privacy: '',
  rules: '',
  competition: true,
  premium: true,
  tips: true,
  samples: true,
  registration: 'open',
  registrationQuestion: '',
  guests: true,
  submissions: true,
  publicRooms: true,
  announcement: null,
  watchedWords: '',
  refusedEmails: '',
  refusedNetworks: '',
  modelTraining: false,
}

/** The settings as admins read them, on their page and in the audit log. */
export const instanceLabels: Record<keyof InstanceSettings, string> = {
  name: 'Name',
  description: 'Description',
  welcome: 'Welcome',
  supportEmail: 'Contact',
  imprint: 'Imprint',
  accent: 'Accent colour',
  icon: 'Icon',
  terms: 'Terms',
  privacy: 'Privacy',
  rules: 'Rules',
  competition: 'Writing competition',
  premium: 'Premium publishing',
  tips: 'Tips and paid messages',
  samples: 'Sample creators',
  registration: 'Registration',
  registrationQuestion: 'Question at sign-up',
  guests: 'Guests',
  submissions: 'Submissions of visitors',
  publicRooms: 'Public Z!mmers',
  announcement: 'Announcement',
  watchedWords: 'Watched words',
  refusedEmails: 'Refused email addresses',
  refusedNetworks: 'Refused networks',
  modelTraining: 'Crawlers that train models',
}
