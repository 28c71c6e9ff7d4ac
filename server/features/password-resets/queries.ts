import { sql } from 'drizzle-orm'
import type { Account } from '#server/features/account/index.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { passwordResets } from './schema.ts'

const resetMinutes = 30

interface NewLink {
  /** Its `secret` is the stored digest of the password. */
  account: Account
  adminId: string
  token: string
}

/** Stores the link of a person, in place of the one before. Returns the time at which it expires. */
export async function saveReset(db: Db, { account, adminId, token }: NewLink): Promise<string> {
  const link = {
    adminId,
    tokenHash: digestOf(token),
    secretHash: digestOf(account.secret),
    expiresAt: sql`app_now() + make_interval(mins => ${resetMinutes})`,
  }
  const [saved] = await db
    .insert(passwordResets)
    .values({ userId: account.id, ...link })
    .onConflictDoUpdate({
      target: passwordResets.userId,
      set: { ...link, expiresAt: sql`excluded.expires_at` },
    })
    .returning({ expiresAt: passwordResets.expiresAt })
  return saved!.expiresAt
}

/** A condition on a row: the link has this token and is not void. */
const isGood = (token: string) => sql`token_hash = ${digestOf(token)} and expires_at > app_now()
  and exists (select 1 from users where id = admin_id and is_admin)
  and secret_hash = (select encode(sha256(convert_to(secret, 'UTF8')), 'hex')
    from credentials where credentials.user_id = password_resets.user_id and kind = 'password')`

export async function findPersonOfReset(db: Db, token: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select user_id as id from password_resets where ${isGood(token)}`,
  )
  return rows[0]?.id
}

/** Uses the link up by deleting it. Returns false when it was used or became void in the meantime. */
export async function redeemResetLink(db: Db, token: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`delete from password_resets where ${isGood(token)}`)
  return rowCount === 1
}

export const purgeResets = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, passwordResets.expiresAt, sql`app_now()`, signal)
