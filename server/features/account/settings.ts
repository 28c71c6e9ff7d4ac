import { and, eq, type SQL } from 'drizzle-orm'
import {
  changeSettings,
  getSettings,
  getWritingSample,
  type PersonSettings,
} from '#contract/account/settings/endpoints.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { users } from './schema.ts'

export interface Deps {
  events: DomainEvents
  /** Whether a row of `users` has a page. */
  hasPage: SQL<boolean>
}

/** Limited, because each change of the switch makes the days of the feed with posts of the person be read again. */
const pageChanges: LimitRule = { name: 'page-changes', count: 30, seconds: 60, by: 'person' }

/** The settings of a person: what others see of them. */
export function settingsRoutes({ events, hasPage }: Deps): Route[] {
  async function findSettings(db: Db, userId: string): Promise<PersonSettings | undefined> {
    const [found] = await db
      .select({
        showName: users.showName,
        presence: users.presence,
        hasPage,
        introduction: users.introduction,
      })
      .from(users)
      .where(eq(users.id, userId))
    return found
  }

  return [
    handle(
      getSettings,
      people,
      async ({ db, viewer, fail }) => (await findSettings(db, viewer.id)) ?? fail('SignInRequired'),
    ),

    handle(getWritingSample, people, async ({ db, viewer, fail }) => {
      const { writingSample } = users
      const [found] = await db.select({ writingSample }).from(users).where(eq(users.id, viewer.id))
      return found ?? fail('SignInRequired')
    }),

    handle(changeSettings, people, async (call) => {
      const { db, viewer, input, limit, afterCommit, fail } = call
      if (input.hasPage !== undefined || input.introduction !== undefined) await limit(pageChanges)
      if (input.showName !== undefined) await events.emitWithin('showNameChanging', call, input.showName)
      const isSaved = await saveSettings(db, viewer.id, input)
      const settings = (await findSettings(db, viewer.id)) ?? fail('SignInRequired')
      if (!isSaved) fail('IntroductionConflict', { current: settings })
      if (input.hasPage !== undefined) await events.emitWithin('pageSwitched', call)
      if (input.introduction !== undefined) afterCommit(() => events.emit('introductionsChanged'))
      return settings
    }),
  ]
}

type Changed = { [K in keyof PersonSettings]?: PersonSettings[K] | undefined } & { base?: string | undefined }

/**
 * Settings that are left out do not change. Returns false, and saves nothing, when the stored introduction is not the one
 * from which the edit started.
 */
async function saveSettings(db: Db, userId: string, { base, ...changed }: Changed): Promise<boolean> {
  if (Object.values(changed).every((value) => value === undefined)) return true
  const saved = await db
    .update(users)
    .set(changed)
    .where(and(eq(users.id, userId), base === undefined ? undefined : eq(users.introduction, base)))
    .returning({ id: users.id })
  return saved.length > 0
}
