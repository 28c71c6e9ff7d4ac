import { sql } from 'drizzle-orm'
import type { Vault } from '#server/features/day-texts/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { textIdOf } from './add-message.ts'

interface StoredMessage extends Record<string, unknown> {
  senderId: string
  content: Buffer
  keyId: string | null
  createdAt: string
}

/**
 * A message that the person has sent or received. A block does not protect the sender from a report, which the sender is
 * not told of. Returns undefined for a message of other people, and for a damaged one.
 */
export async function findMessageToReport(db: Db, vault: Vault, personId: string, id: string) {
  vault.refuseIfLocked()
  const { rows } = await db.execute<StoredMessage>(sql`
    select sender_id as "senderId", content, key_id as "keyId", messages.created_at as "createdAt"
    from direct_messages messages join friendships on friendships.id = messages.friendship_id
    where messages.id = ${id}::uuid and ${personId} in (low_id, high_id)`)
  const [stored] = rows
  if (stored === undefined) return undefined
  const { senderId, createdAt } = stored
  const content = vault.decryptOrLog(stored, textIdOf({ senderId, id }))
  return content === undefined ? undefined : { authorId: senderId, content, createdAt }
}
