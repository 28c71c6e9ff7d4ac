import {
  changeChoicesOfLink,
  changeAwayNotificationChoices,
  findAwayNotificationLink,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import type { Config } from '#server/config.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { findPersonOfMailLink } from '#server/features/mails/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { everyone, people } from '#server/platform/http/endpoints/policy.ts'
import { type Changes, findChoices, saveChoices } from './choices.ts'

const changes: LimitRule = { name: 'away-notification-choices', count: 60, seconds: 60, by: 'person' }
const lookups: LimitRule = { name: 'away-notification-links', count: 60, seconds: 600, by: 'address' }

export function awayNotificationRoutes({
  config: { timeZone },
}: {
  config: Pick<Config, 'timeZone'>
}): Route[] {
  /** Returns undefined when the account was deleted. */
  async function change(db: Db, userId: string, changed: Changes) {
    if (!(await lockPerson(db, userId))) return undefined
    await saveChoices(db, userId, { before: await findChoices(db, userId, timeZone), changes: changed })
    return findChoices(db, userId, timeZone)
  }

  return [
    handle(getAwayNotificationChoices, people, ({ db, viewer }) => findChoices(db, viewer.id, timeZone)),

    handle(
      changeAwayNotificationChoices,
      people,
      { limits: [changes], isRepeatable: true },
      async ({ db, viewer, input, fail }) => (await change(db, viewer.id, input)) ?? fail('SignInRequired'),
    ),

    handle(
      findAwayNotificationLink,
      everyone,
      { limits: [lookups], isRepeatable: true },
      async ({ db, input: { token }, fail }) => {
        const { userId, purpose } = (await findChoicesLink(db, token)) ?? fail('NoticeLinkNotFound')
        return { choices: await findChoices(db, userId, timeZone), mayChange: purpose === 'choices' }
      },
    ),

    handle(
      changeChoicesOfLink,
      everyone,
      { limits: [lookups], isRepeatable: true },
      async ({ db, input, fail }) => {
        const { userId, purpose } = (await findChoicesLink(db, input.token)) ?? fail('NoticeLinkNotFound')
        const { byMail, ...others } = input.changes
        const isMore = byMail === true || Object.values(others).some((value) => value !== undefined)
        if (purpose === 'unsubscribe' && isMore) fail('UnsubscribesAlone')
        return (await change(db, userId, input.changes)) ?? fail('NoticeLinkNotFound')
      },
    ),
  ]
}

/** The person of a link to the choices, and whether it leads to all choices or switches mails off alone. */
export async function findChoicesLink(db: Db, token: string) {
  for (const purpose of ['choices', 'unsubscribe'] as const) {
    const userId = await findPersonOfMailLink(db, token, purpose)
    if (userId !== undefined) return { userId, purpose }
  }
  return undefined
}
