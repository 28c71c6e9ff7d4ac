import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes } from '#server/features/day-texts/index.ts'
import { instant } from '#server/platform/database/columns.ts'
import { rooms } from '../schema.ts'

/** The chain of the passages of a room, and its seal after the end. Rooms that are older than chains have no row. */
export const roomChains = pgTable(
  'room_chains',
  {
    roomId: uuid()
      .primaryKey()
      .references(() => rooms.id, { onDelete: 'cascade' }),
    /** The position of the last passage in the chain, and its link. Null: no passage is in the chain. */
    position: integer().notNull().default(0),
    link: bytes(),
    /** The position of the last signed head, and when it was signed. Before the first one: when the room was made. */
    signedPosition: integer().notNull().default(0),
    signedAt: instant().notNull(),
    /** The signature of the seal, and below that of its head. All columns from here on are null until the story is sealed. */
    seal: bytes(),
    head: bytes(),
    /** The public key of both signatures. */
    key: bytes(),
    /** The address of the server that the head names. */
    origin: text(),
    endedAt: instant(),
  },
  (table) => [
    // Serves: the chains that are to be extended or sealed.
    index('room_chains_unsealed')
      .on(table.roomId)
      .where(sql`seal is null`),
  ],
)

/** The keys that sign heads and seals. The one with the highest number signs. */
export const sealKeys = pgTable('seal_keys', {
  number: integer().primaryKey(),
  publicKey: bytes().notNull(),
  /** As base64url, or encrypted with the key of `keyId`. Null once there is a newer key. */
  secretKey: bytes(),
  keyId: text(),
  createdAt: instant().notNull(),
})
