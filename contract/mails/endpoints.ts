import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Done, Id, Instant, Page } from '#contract/schemas.ts'
import { BouncedAddress, bounceKinds, UnsentMail } from './mail.ts'

export const unsentMailsMax = 200
export const bouncedAddressesMax = 200

/** The email address of a person, and whether a mailed link has confirmed it. */
export const OwnEmail = z.object({
  address: z.string(),
  isConfirmed: z.boolean(),
  /** Since when the address gets no more mails, and why; left out for an address that gets them. */
  bounce: z.optional(z.object({ kind: z.enum(bounceKinds), at: Instant })),
})
export type OwnEmail = z.infer<typeof OwnEmail>

export const getOwnEmail = endpoint({
  summary: 'Answers the email address of the caller, and whether it is confirmed.',
  method: 'GET',
  path: '/api/me/email',
  output: OwnEmail,
})

export const requestConfirmation = endpoint({
  summary: 'Mails a link that confirms the email address of the caller.',
  description:
    'Nothing is mailed to an address that is confirmed, unless mails to it came back, and nothing at all when the instance sends no mail. The link is good for seven days.',
  method: 'POST',
  path: '/api/me/email/confirmations',
  output: Done,
})

export const confirmEmail = endpoint({
  summary: 'Confirms the email address to which the link of the token was mailed.',
  description: 'An unknown, used or expired link gets the same answer.',
  method: 'POST',
  path: '/api/email-confirmations',
  /** In the body, never in an address: logs and histories keep addresses. */
  input: z.object({ token: AnyText(100) }),
  output: Done,
  errors: ['ConfirmationNotFound'],
})

export const listUnsentMails = endpoint({
  summary: 'Lists the mails that could not be sent, the last one first.',
  method: 'GET',
  path: '/api/admin/unsent-mails',
  query: Page(unsentMailsMax),
  output: z.array(UnsentMail),
})

export const retryMail = endpoint({
  summary: 'Puts a mail that could not be sent into the queue again, for two days.',
  method: 'POST',
  path: '/api/admin/unsent-mails/:id/attempts',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['MailNotFound'],
})

export const listBouncedAddresses = endpoint({
  summary: 'Lists the addresses from which mails came back, the last one first.',
  method: 'GET',
  path: '/api/admin/bounced-addresses',
  query: Page(bouncedAddressesMax),
  output: z.array(BouncedAddress),
})
