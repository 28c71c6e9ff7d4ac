import { sql } from 'drizzle-orm'
import { allFileKinds } from '#server/features.ts'
import type { Db } from '#server/platform/database/pool.ts'

/** The files that rows name. */
export async function listUploads(db: Db): Promise<string[]> {
  const files = allFileKinds.map(async ({ kind, extension, table }) => {
    const { rows } = await db.execute<{ id: string }>(sql`select id from ${sql.identifier(table)}`)
    return rows.map(({ id }) => `${kind}/${id}${extension}`)
  })
  return (await Promise.all(files)).flat()
}
