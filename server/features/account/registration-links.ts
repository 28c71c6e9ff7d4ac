import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { RegistrationLink } from '#contract/account/registration/endpoints.ts'
import { linksMax } from '#contract/account/registration/rules.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { registrationLinks } from './schema.ts'

const { id, label, uses, maxUses, createdAt, expiresAt } = registrationLinks
const fields = { id, label, uses, maxUses, createdAt, expiresAt }

const isOpen = sql`${expiresAt} > app_now() and ${uses} < ${maxUses}`
const isGood = (token: string): SQL => and(eq(registrationLinks.tokenHash, digestOf(token)), isOpen)!

interface NewLink {
  id: string
  token: string
  label: string
  maxUses: number
  days: number
}

export async function addLink(db: Db, { token, days, ...link }: NewLink): Promise<RegistrationLink> {
  const [added] = await db
    .insert(registrationLinks)
    .values({
      ...link,
      tokenHash: digestOf(token),
      createdAt: sql`app_now()`,
      expiresAt: sql`app_now() + make_interval(days => ${days})`,
    })
    .returning(fields)
  return added!
}

export const countLinks = (db: Db): Promise<number> => db.$count(registrationLinks, isOpen)

export const listLinks = (db: Db): Promise<RegistrationLink[]> =>
  db.select(fields).from(registrationLinks).where(isOpen).orderBy(desc(createdAt), desc(id)).limit(linksMax)

export async function removeLink(db: Db, linkId: string): Promise<boolean> {
  const { rowCount } = await db.delete(registrationLinks).where(and(eq(id, linkId), isOpen))
  return rowCount === 1
}

export const isGoodLink = async (db: Db, token: string): Promise<boolean> =>
  (await db.$count(registrationLinks, isGood(token))) > 0

/** Counts one registration, under a lock of the row: of two people at the last use one gets it. */
export async function countUse(db: Db, token: string): Promise<boolean> {
  const { rowCount } = await db
    .update(registrationLinks)
    .set({ uses: sql`${uses} + 1` })
    .where(isGood(token))
  return rowCount === 1
}

export const purgeLinks = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, expiresAt, sql`app_now()`, signal)
