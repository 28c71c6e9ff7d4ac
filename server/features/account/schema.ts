import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import { instant } from '#server/platform/database/columns.ts'

/** First and last name, for the search of people. */
export const fullName = sql`(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))`

/** How admins see a person: by the full name, else by the username. `table` is a name of `users` in the query. */
export function personName(table: string): SQL<string | null> {
  const [firstName, lastName, username] = ['first_name', 'last_name', 'username'].map((column) =>
    sql.raw(`${table}.${column}`),
  )
  return sql<string | null>`coalesce(nullif(concat_ws(' ', ${firstName}, ${lastName}), ''), ${username})`
}

/** A name as `folded_name` in the database makes it, in the order of its bytes: an index for beginnings of names. */
const beginnings = (name: SQL) => sql`folded_name(${name}) text_pattern_ops`

/** The id of a person. The row is deleted with the account. */
export const personId = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** People: registered ones have an email and a username, guests an anonymous id. */
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    firstName: text(),
    lastName: text(),
    username: text().unique(),
    isAnonymous: boolean().notNull().default(false),
    anonymousId: text().unique(),
    isAdmin: boolean().notNull().default(false),
    /** Never together with `isAdmin`. */
    isModerator: boolean().notNull().default(false),
    isDemo: boolean().notNull().default(false),
    writingSample: text(),
    /** Whether passages of rooms carry the person's name. */
    showName: boolean().notNull().default(false),
    /** Whether others see the person in a room. */
    presence: boolean().notNull().default(true),
    /** Whether the person has a page. Null: it is on as soon as a published post carries the name of the person. */
    hasPage: boolean(),
    /** What the person says about themself on the page. */
    introduction: text().notNull().default(''),
    /** When the person agreed to the terms and rules of the instance. Null: there were none at the registration. */
    agreedAt: instant(),
    createdAt: instant().notNull(),
  },
  // Serves: the names that nobody else may sign with.
  (table) => [
    index('users_admins')
      .on(table.id)
      .where(sql`is_admin`),
    // Serves: the list of registered people, newest first.
    index('users_registered')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`not is_anonymous`),
    // Serve: the search of people by the beginning of a username, a full name or a last name.
    index('users_by_username')
      .on(beginnings(sql`username`))
      .where(sql`not is_anonymous`),
    index('users_by_full_name')
      .on(beginnings(fullName))
      .where(sql`not is_anonymous`),
    // Serves: the search of admins, for a part of a username or a name.
    index('users_by_part_of_name')
      .using('gin', sql`username gin_trgm_ops`, sql`${fullName} gin_trgm_ops`)
      .where(sql`not is_anonymous`),
    index('users_by_last_name')
      .on(beginnings(sql`last_name`))
      .where(sql`not is_anonymous`),
  ],
)

export const emails = pgTable(
  'emails',
  {
    address: text().primaryKey(),
    userId: personId().unique(),
    /** When a mailed link proved that the address is that of the person. */
    confirmedAt: instant(),
  },
  // Serves: the search of admins, for a part of an address.
  () => [index('emails_by_part').using('gin', sql`address gin_trgm_ops`)],
)

export const credentials = pgTable(
  'credentials',
  {
    userId: personId(),
    kind: text({ enum: ['password'] }).notNull(),
    /** With its parameters, in the PHC string format. */
    secret: text().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)

/** People whom an admin has suspended, until a time or for good. A row whose time has passed counts no more. */
export const suspensions = pgTable(
  'suspensions',
  {
    userId: personId().primaryKey(),
    /** The person reads it at sign-in. */
    reason: text().notNull(),
    /** Null: for good. */
    until: instant(),
    /** Whether nobody can read what the person has published. */
    hidesTexts: boolean().notNull(),
  },
  (table) => [
    // Serves: the purge.
    index('suspensions_by_end')
      .on(table.until)
      .where(sql`until is not null`),
  ],
)

/** People who wait until an admin decides about their registration, and for 30 days those who were refused. */
export const registrationRequests = pgTable(
  'registration_requests',
  {
    id: uuid().primaryKey(),
    email: text().notNull().unique(),
    /** As in `credentials`. */
    secret: text().notNull(),
    /** Null once the person was refused. */
    person: jsonb().$type<RequestedPerson>(),
    createdAt: instant().notNull(),
    refusedAt: instant(),
    /** The guest who has asked, whose data the new account takes over. */
    guestId: text().references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    // Serves: the queue of admins.
    index('registration_requests_waiting')
      .on(table.createdAt, table.id)
      .where(sql`refused_at is null`),
    // Serves: the purge.
    index('registration_requests_refused')
      .on(table.refusedAt)
      .where(sql`refused_at is not null`),
    // Serves: the deletion of a guest.
    index('registration_requests_of_guest')
      .on(table.guestId)
      .where(sql`guest_id is not null`),
  ],
)

export interface RequestedPerson {
  name: string
  writingSample: string
  question: string
  answer: string
  /** Whether the person has agreed to the terms and rules of the instance. */
  agrees: boolean
}

/** Links by which people register where a registration needs one. */
export const registrationLinks = pgTable(
  'registration_links',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the token, which is stored nowhere. */
    tokenHash: text().notNull(),
    label: text().notNull(),
    uses: integer().notNull().default(0),
    maxUses: integer().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    // Serves: the link of a token.
    uniqueIndex('registration_links_of_token').on(table.tokenHash),
    // Serves: the purge.
    index('registration_links_by_expiry').on(table.expiresAt),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, in hexadecimal digits. */
    tokenHash: text().primaryKey(),
    /** Names the session to its person. Random and made by the database, which takes a UUID of the form that all ids have. */
    id: uuid()
      .notNull()
      .default(sql`overlay(gen_random_uuid()::text placing '7' from 15)::uuid`),
    userId: personId(),
    /** Names from the table in `user-agent.ts`. The header itself and the address of the client are stored nowhere. */
    browser: text(),
    system: text(),
    /** When the person proved who they are: sign-in, registration or guest login. */
    openedAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    /** The end of its whole life; the idle end is counted from `lastSeenAt`. */
    expiresAt: instant().notNull(),
  },
  (table) => [
    // Serves: the sessions of a person (at most 20, ended together).
    index('sessions_of_user').on(table.userId, table.openedAt),
    // Serves: the purge of expired sessions.
    index('sessions_by_expiry').on(table.expiresAt),
  ],
)

/** Tokens by which programs of a person call the API. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    /** SHA-256 of the token, in hexadecimal digits. */
    tokenHash: text().primaryKey(),
    /** Names the token to its person. */
    id: uuid().notNull(),
    userId: personId(),
    name: text().notNull(),
    scopes: text().array().$type<TokenScope[]>().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** Null: never. */
    lastUsedAt: instant(),
  },
  (table) => [
    // Serves: the tokens of a person (at most 20).
    index('api_tokens_of_user').on(table.userId),
    // Serves: the purge of expired tokens.
    index('api_tokens_by_expiry').on(table.expiresAt),
  ],
)
