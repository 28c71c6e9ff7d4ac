import { eq, sql } from 'drizzle-orm'
import { changeSettings, getSettings, type PersonSettings } from '#contract/account/settings.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import { people } from '#server/platform/http/policy.ts'
import { users } from './schema.ts'

/** What a person has chosen about being seen. */
export function settingsRoutes(): Route[] {
  return [
    handle(
      getSettings,
      people,
      async ({ db, viewer, fail }) => (await findSettings(db, viewer.id)) ?? fail('SignInRequired'),
    ),

    handle(
      changeSettings,
      people,
      async ({ db, viewer, input, fail }) =>
        (await saveSettings(db, viewer.id, input)) ?? fail('SignInRequired'),
    ),
  ]
}

const settings = { showName: users.showName, presence: users.presence }

async function findSettings(db: Db, userId: string): Promise<PersonSettings | undefined> {
  const [found] = await db.select(settings).from(users).where(eq(users.id, userId))
  return found
}

/** What is not named stays. */
async function saveSettings(
  db: Db,
  userId: string,
  { showName, presence }: { [K in keyof PersonSettings]?: boolean | undefined },
): Promise<PersonSettings | undefined> {
  const [saved] = await db
    .update(users)
    .set({ showName: showName ?? sql`${users.showName}`, presence: presence ?? sql`${users.presence}` })
    .where(eq(users.id, userId))
    .returning(settings)
  return saved
}
