import {
  bouncedAddressesMax,
  confirmEmail,
  getOwnEmail,
  listBouncedAddresses,
  listUnsentMails,
  requestConfirmation,
  retryMail,
  unsentMailsMax,
} from '#contract/mails/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Config } from '#server/config.ts'
import { confirmationsOfEmail, findEmail, setEmailConfirmed } from '#server/features/account/index.ts'
import { isPersonId, readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins, everyone, people } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { findPersonOfMailLink, redeemMailLink } from './links.ts'
import { addMail, findBounce, listBounces, listFailedMails, removeBounce, requeueMail } from './queries.ts'

const confirmationRequests: LimitRule = { name: 'mail-confirmations', count: 3, seconds: 900, by: 'person' }
const confirmations: LimitRule = { name: 'email-confirmations', count: 20, seconds: 600, by: 'address' }

export function mailRoutes({ config }: { config: Config }): Route[] {
  return [
    handle(getOwnEmail, people, async ({ db, viewer, fail }) => {
      const email = (await findEmail(db, viewer.id)) ?? fail('SignInRequired')
      return { ...email, bounce: await findBounce(db, viewer.id) }
    }),

    handle(requestConfirmation, people, { limits: [confirmationRequests] }, async (call) => {
      const { db, viewer, limitOf, fail } = call
      const { address, isConfirmed } = (await findEmail(db, viewer.id)) ?? fail('SignInRequired')
      if (config.relay === undefined) return done
      if (isConfirmed && (await findBounce(db, viewer.id)) === undefined) return done
      await limitOf(address, confirmationsOfEmail)
      await addMail(db, { id: newId(call), kind: 'confirmation', userId: viewer.id })
      return done
    }),

    handle(
      confirmEmail,
      everyone,
      { limits: [confirmations], answersSecret: true },
      async ({ db, input: { token }, fail }) => {
        const userId = (await findPersonOfMailLink(db, token, 'confirmation')) ?? fail('ConfirmationNotFound')
        const email = (await findEmail(db, userId)) ?? fail('ConfirmationNotFound')
        if (!(await redeemMailLink(db, token, { purpose: 'confirmation', boundTo: email.address })))
          fail('ConfirmationNotFound')
        await setEmailConfirmed(db, email)
        await removeBounce(db, userId)
        return done
      },
    ),

    handle(listUnsentMails, admins, async ({ db, query: { limit = unsentMailsMax, before } }) => {
      const found = await listFailedMails(db, { limit: limit + 1, before: readTimeCursor(before) })
      return sliceOf(found, limit, ({ failedAt, id }) => timeCursorOf({ createdAt: failedAt, id }))
    }),

    handle(listBouncedAddresses, admins, async ({ db, query: { limit = bouncedAddressesMax, before } }) => {
      const found = await listBounces(db, { limit: limit + 1, before: readTimeCursor(before, isPersonId) })
      return sliceOf(found, limit, ({ at, userId }) => timeCursorOf({ createdAt: at, id: userId }))
    }),

    handle(retryMail, admins, async ({ db, params: { id }, fail, audit }) => {
      if (!(await requeueMail(db, id))) fail('MailNotFound')
      await audit('mail-retried', { subjectId: id })
      return done
    }),
  ]
}
