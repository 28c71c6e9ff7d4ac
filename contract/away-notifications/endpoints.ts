import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText } from '#contract/schemas.ts'
import { AwayNotificationChoices } from './choices.ts'

const path = '/api/me/notices'
/** In the body, never in an address: logs and histories keep addresses. */
const token = AnyText(100)

export const getAwayNotificationChoices = endpoint({
  summary: 'Answers what the caller has chosen about notifications while away.',
  method: 'GET',
  path,
  output: AwayNotificationChoices,
})

export const changeAwayNotificationChoices = endpoint({
  summary: 'Changes the choices that the body names, and leaves the others.',
  method: 'PATCH',
  path,
  input: z.partial(AwayNotificationChoices),
  output: AwayNotificationChoices,
})

export const findAwayNotificationLink = endpoint({
  summary: 'Answers the choices of the person to whom the link of the token was mailed.',
  description: 'An unknown or expired link gets the same answer.',
  method: 'POST',
  path: '/api/notice-links/lookups',
  input: z.object({ token }),
  output: z.object({
    choices: AwayNotificationChoices,
    /** False for the link of a List-Unsubscribe header, which can switch mails off alone. */
    mayChange: z.boolean(),
  }),
  errors: ['NoticeLinkNotFound'],
})

export const changeChoicesOfLink = endpoint({
  summary: 'Changes choices of the person to whom the link of the token was mailed.',
  description: 'The link of a List-Unsubscribe header can switch mails off, and nothing else.',
  method: 'POST',
  path: '/api/notice-links/choices',
  input: z.object({ token, changes: z.partial(AwayNotificationChoices) }),
  output: AwayNotificationChoices,
  errors: ['NoticeLinkNotFound', 'UnsubscribesAlone'],
})
