import { and, desc, eq, sql } from 'drizzle-orm'
import type { ApiToken } from '#contract/account/tokens/endpoints.ts'
import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import { batch } from '#server/platform/batch.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import { arrayParameter, type Database, type Db, perHandle } from '#server/platform/database/pool.ts'
import type { SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { type IdSources, newId } from '#server/platform/ids.ts'
import { apiTokenPrefix, digestOf, newToken } from '#server/platform/tokens.ts'
import { apiTokens } from './schema.ts'
import { seenEverySeconds } from './sessions.ts'
import { isSuspended } from './suspensions.ts'

/** How long an expired token stays in the list of its person. */
const listedDays = 30

const isExpired = sql<boolean>`(${apiTokens.expiresAt} <= app_now())`

const fields = {
  ...pickColumns(apiTokens, 'id', 'name', 'scopes', 'createdAt', 'expiresAt'),
  isExpired,
  lastUsedAt: apiTokens.lastUsedAt,
}

export const listApiTokensOf = (db: Db, userId: string): Promise<ApiToken[]> =>
  db
    .select(fields)
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))

/** Counts the expired ones that are still listed too. */
export const countApiTokens = (db: Db, userId: string): Promise<number> =>
  db.$count(apiTokens, eq(apiTokens.userId, userId))

/** Adds a token and returns it with its secret, which is stored nowhere. */
export async function addApiToken(
  db: Db,
  sources: IdSources,
  { userId, name, scopes, days }: { userId: string; name: string; scopes: TokenScope[]; days: number },
): Promise<ApiToken & { token: string }> {
  const token = apiTokenPrefix + newToken(sources.random)
  const [added] = await db
    .insert(apiTokens)
    .values({
      id: newId(sources),
      userId,
      name,
      tokenHash: digestOf(token),
      scopes,
      createdAt: sql`app_now()`,
      expiresAt: sql`app_now() + make_interval(days => ${days})`,
    })
    .returning(fields)
  return { ...added!, token }
}

/** Returns false when the person has no such token. */
export async function removeApiToken(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))
  return rowCount === 1
}

/**
 * The person of an API token. The person of a token has the rights of a user, also when it is an admin (S61). Undefined
 * for a token that is unknown, has ended or is of a suspended person, after the same work.
 */
export async function findTokenViewer(db: Database, token: string): Promise<SignedIn<'user'> | undefined> {
  const tokenHash = digestOf(token)
  const found = await findApiToken(db)(tokenHash)
  if (found === undefined || found.isExpired) return undefined
  if (found.unusedSeconds === null || found.unusedSeconds > seenEverySeconds) {
    await db
      .update(apiTokens)
      .set({ lastUsedAt: sql`app_now()` })
      .where(eq(apiTokens.tokenHash, tokenHash))
  }
  return { kind: 'user', id: found.userId, session: { tokenHash, isFresh: false, scopes: found.scopes } }
}

/** Requests at the same time share one statement. */
const findApiToken = perHandle((db) =>
  batch(async (tokenHashes: string[]) => {
    const found = await selectApiTokens(db).execute({ tokenHashes })
    return new Map(found.map((token) => [token.tokenHash, token]))
  }),
)

const selectApiTokens = perHandle((db) =>
  db
    .select({
      ...pickColumns(apiTokens, 'tokenHash', 'userId', 'scopes'),
      isExpired,
      unusedSeconds: sql<number | null>`extract(epoch from app_now() - ${apiTokens.lastUsedAt})::float8`,
    })
    .from(apiTokens)
    .where(
      sql`${apiTokens.tokenHash} = any(${arrayParameter('tokenHashes', 'text')}::text[])
        and not ${isSuspended(apiTokens.userId)}`,
    )
    .prepare('select_api_tokens'),
)

export const purgeApiTokens = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, apiTokens.expiresAt, sql`app_now() - make_interval(days => ${listedDays})`, signal)
