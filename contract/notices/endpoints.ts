import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText } from '#contract/schemas.ts'
import { NoticeChoices } from './choices.ts'

const path = '/api/me/notices'
/** In the body, never in an address: logs and histories keep addresses. */
const token = AnyText(100)

export const getNoticeChoices = endpoint({
  summary: 'Answers what the caller has chosen about notices.',
  method: 'GET',
  path,
  output: NoticeChoices,
})

export const changeNoticeChoices = endpoint({
  summary: 'Changes the choices that the body names, and leaves the others.',
  method: 'PATCH',
  path,
  input: z.partial(NoticeChoices),
  output: NoticeChoices,
})

export const findNoticeLink = endpoint({
  summary: 'Answers the choices of the person to whom the link of the token was mailed.',
  description: 'An unknown or expired link gets the same answer.',
  method: 'POST',
  path: '/api/notice-links/lookups',
  input: z.object({ token }),
  output: z.object({
    choices: NoticeChoices,
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
  input: z.object({ token, changes: z.partial(NoticeChoices) }),
  output: NoticeChoices,
  errors: ['NoticeLinkNotFound', 'UnsubscribesAlone'],
})
