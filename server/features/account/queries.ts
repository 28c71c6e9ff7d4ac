import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { fullNameOf } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'
import type { PersonalData } from '#server/feature.ts'
import { contains } from '#server/platform/database/contains.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import { type Db, perHandle } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { newPersonId, type Random } from '#server/platform/ids.ts'
import { isProductName } from './product-names.ts'
import { credentials, emails, fullName, personName, suspensions, users } from './schema.ts'
import { endSetup } from './setup-code.ts'
import { isInForce, isSuspended, suspensionFields } from './suspensions.ts'

const userFields = {
  id: users.id,
  email: emails.address,
  firstName: users.firstName,
  lastName: users.lastName,
  username: users.username,
  isAnonymous: users.isAnonymous,
  anonymousId: users.anonymousId,
  isAdmin: users.isAdmin,
  isModerator: users.isModerator,
  createdAt: users.createdAt,
}

/** The fields of a person that the person sees. */
export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const [user] = await db
    .select(userFields)
    .from(users)
    .leftJoin(emails, eq(emails.userId, users.id))
    .where(eq(users.id, id))
    .prepare('select_user')
    .execute()
  return user
}

/** A registered person with a name, an email address or a username. */
const isListed = sql`not users.is_anonymous
  and (emails.address is not null or users.username is not null or btrim(${fullName}) <> '')`

/**
 * The text is a part of the username, of the email address, or of the first or last name, in any case. Each half reads an
 * index; together with `or` no index would serve both tables.
 */
const isFoundBy = (text: string): SQL => sql`users.id in (
  select id from users where not is_anonymous and ${contains([sql`username`, fullName], text)}
  union select user_id from emails where ${contains([sql`address`], text)})`

interface PeopleFilter {
  /** Only people who are found by this text. */
  text?: string | undefined
  /** Only suspended people. */
  isSuspended?: boolean
}

/** The same, but for readers who see no addresses: an address finds nobody. */
const isNamedBy = (text: string): SQL => sql`users.id in (
  select id from users where not is_anonymous and ${contains([sql`username`, fullName], text)})`

const listedBy = ({ text, isSuspended: isOnlySuspended = false }: PeopleFilter) =>
  and(
    isListed,
    text === undefined ? undefined : isFoundBy(text),
    isOnlySuspended ? isSuspended(users.id) : undefined,
  )

/** Registered people, newest first. */
export function listPeople(db: Db, { limit, before, ...filter }: PeopleFilter & TimeSlice) {
  return db
    .select({ ...userFields, suspension: suspensionFields })
    .from(users)
    .leftJoin(emails, eq(emails.userId, users.id))
    .leftJoin(suspensions, and(eq(suspensions.userId, users.id), isInForce))
    .where(and(listedBy(filter), isAfter(before, users.createdAt, users.id)))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit)
}

/** The names of people by their ids: the full name, or else the username. */
export async function listNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  const found = await db
    .select({ id: users.id, name: personName('users') })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(found.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

/** Registered people without their addresses, newest first. */
export function listPeopleByName(
  db: Db,
  { limit, before, text, isSuspended: isOnlySuspended }: PeopleFilter & TimeSlice,
) {
  return db
    .select({
      id: users.id,
      name: sql<string>`${personName('users')}`,
      username: users.username,
      isAdmin: users.isAdmin,
      isModerator: users.isModerator,
      createdAt: users.createdAt,
      suspension: suspensionFields,
    })
    .from(users)
    .leftJoin(suspensions, and(eq(suspensions.userId, users.id), isInForce))
    .where(
      and(
        sql`not users.is_anonymous and ${personName('users')} is not null`,
        text === undefined ? undefined : isNamedBy(text),
        isOnlySuspended ? isSuspended(users.id) : undefined,
        isAfter(before, users.createdAt, users.id),
      ),
    )
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit)
}

export async function countPeople(db: Db, filter: PeopleFilter): Promise<number> {
  const [counted] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(users)
    .leftJoin(emails, eq(emails.userId, users.id))
    .where(listedBy(filter))
  return counted!.count
}

export interface Account {
  id: string
  isAdmin: boolean
  isModerator: boolean
  isDemo: boolean
  secret: string
}

const accountFields = {
  id: users.id,
  isAdmin: users.isAdmin,
  isModerator: users.isModerator,
  isDemo: users.isDemo,
  secret: credentials.secret,
}

const hasPassword = and(eq(credentials.userId, users.id), eq(credentials.kind, 'password'))

export async function findAccountByEmail(db: Db, address: string): Promise<Account | undefined> {
  const [account] = await db
    .select(accountFields)
    .from(emails)
    .innerJoin(users, eq(users.id, emails.userId))
    .innerJoin(credentials, hasPassword)
    .where(eq(emails.address, address))
  return account
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const [account] = await db
    .select(accountFields)
    .from(users)
    .innerJoin(credentials, hasPassword)
    .where(eq(users.id, id))
  return account
}

/** Somebody has an account with this address, or waits for one. */
export async function isEmailTaken(db: Db, address: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from emails where address = ${address}
    union all select 1 from registration_requests where email = ${address} and refused_at is null`)
  return rows.length > 0
}

/** Locks an address for a registration: others wait here, and then find the address taken. */
export async function lockEmail(db: Db, address: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${address}, 0))`)
}

export interface NewPerson {
  email: string
  secret: string
  firstName: string | null
  lastName: string | null
  /** The chosen username; without one the server makes one from the name. */
  username?: string | undefined
  writingSample?: string
  /** Whether the person has agreed to the terms and rules of the instance. */
  agrees?: boolean
  isAdmin?: boolean
  isDemo?: boolean
}

/** Adds a registered person, unless the email or the chosen username is taken. */
export async function addPerson(
  db: Db,
  random: Random,
  person: NewPerson,
): Promise<{ id: string } | 'EmailTaken' | 'UsernameTaken'> {
  await lockEmail(db, person.email)
  if (await isEmailTaken(db, person.email)) return 'EmailTaken'
  const id = await addUser(db, random, person)
  if (id === undefined) return 'UsernameTaken'
  await db.insert(emails).values({ address: person.email, userId: id })
  await db
    .insert(credentials)
    .values({ userId: id, kind: 'password', secret: person.secret, updatedAt: sql`app_now()` })
  if (person.isAdmin) await endSetup(db)
  return { id }
}

async function addUser(db: Db, random: Random, person: NewPerson): Promise<string | undefined> {
  const { firstName, lastName, writingSample, agrees = false, isAdmin = false, isDemo = false } = person
  // Never from the email address: search finds people by their username (S39).
  const made = baseOfUsername(fullNameOf(person))
  const base = isProductName(made) && !isAdmin ? `writer${made}` : made
  const wished = person.username
  for (let tries = 0; tries < 20; tries++) {
    const username =
      wished ?? (tries === 0 ? base : `${base}${random.bytes(4).readUInt32BE() % 10 ** (tries + 2)}`)
    const added = await db
      .insert(users)
      .values({
        id: newPersonId(random),
        firstName,
        lastName,
        username,
        writingSample,
        isAdmin,
        isDemo,
        agreedAt: agrees ? sql`app_now()` : null,
        createdAt: sql`app_now()`,
      })
      .onConflictDoNothing()
      .returning({ id: users.id })
    if (added[0] !== undefined) return added[0].id
    if (wished !== undefined) return undefined
  }
  throw new Error('No free username was found.')
}

/** Letters and digits that can be typed anywhere: 'Zoë Král' becomes 'zoekral'. */
function baseOfUsername(name: string): string {
  const ascii = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 20)
  return ascii.length >= 2 ? ascii : `writer${ascii}`
}

/** A person without an account, known by a random 128-bit id. */
export async function addGuest(db: Db, random: Random): Promise<string> {
  const id = newPersonId(random)
  await db.insert(users).values({
    id,
    isAnonymous: true,
    anonymousId: random.bytes(16).toString('hex'),
    createdAt: sql`app_now()`,
  })
  return id
}

/**
 * Locks an account until the end of the transaction. Returns whether the account still has this secret, with which the
 * password was compared, and these rights, for which it must be strong enough.
 */
export async function lockAccountWithSecret(db: Db, account: Account): Promise<boolean> {
  const { id, secret, isAdmin, isModerator } = account
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(credentials, hasPassword)
    .where(
      and(
        eq(users.id, id),
        eq(credentials.secret, secret),
        eq(users.isAdmin, isAdmin),
        eq(users.isModerator, isModerator),
      ),
    )
    .for('no key update')
  return found.length > 0
}

export async function changeSecret(db: Db, userId: string, secret: string): Promise<void> {
  await db
    .update(credentials)
    .set({ secret, updatedAt: sql`app_now()` })
    .where(and(eq(credentials.userId, userId), eq(credentials.kind, 'password')))
}

/** Locks a person until the end of the transaction. Returns false when the account was deleted. */
export const lockPerson = async (db: Db, id: string): Promise<boolean> =>
  (await lockPeople(db, [id])).length > 0

/** Locks people in the order of their ids until the end of the transaction. Returns the ids of those who exist. */
export async function lockPeople(db: Db, ids: readonly string[]): Promise<string[]> {
  const locked = await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [...ids]))
    .orderBy(users.id)
    .for('no key update')
  return locked.map(({ id }) => id)
}

/**
 * Locks a person before the deletion: to the end of the transaction no row of the person can be added. Returns undefined
 * when there is no such person.
 */
export async function lockPersonForDeletion(
  db: Db,
  userId: string,
): Promise<{ isAdmin: boolean; isDemo: boolean } | undefined> {
  const [person] = await db
    .select({ isAdmin: users.isAdmin, isDemo: users.isDemo })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  return person
}

/** Moves the data of a guest to the new account of the same person, and removes the guest (S16). */
export async function takeOverGuest(
  db: Db,
  guestId: string,
  personId: string,
  personalData: readonly PersonalData[],
): Promise<void> {
  await lockPersonForDeletion(db, guestId)
  for (const { move } of personalData) await move?.(db, guestId, personId)
  await removeUser(db, guestId)
}

/** The person with email, credentials and sessions; the data of other features is removed before. */
export async function removeUser(db: Db, userId: string): Promise<void> {
  await db.delete(users).where(eq(users.id, userId))
}

/** An admin may do all that a moderator may, and without the right is a user. */
export async function setAdmin(db: Db, userId: string, isAdmin: boolean): Promise<void> {
  await db.update(users).set({ isAdmin, isModerator: false }).where(eq(users.id, userId))
  if (isAdmin) await endSetup(db)
}

export async function setModerator(db: Db, userId: string, isModerator: boolean): Promise<void> {
  await db.update(users).set({ isModerator }).where(eq(users.id, userId))
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1)
  return found.length > 0
}

/** Display names and usernames of the admins: nobody else may sign with them. */
export async function listAdminNames(db: Db): Promise<string[]> {
  const found = await selectAdminNames(db).execute()
  return found.flatMap((person) => [fullNameOf(person), person.username ?? ''].filter((name) => name !== ''))
}

const selectAdminNames = perHandle((db) =>
  db
    .select({ firstName: users.firstName, lastName: users.lastName, username: users.username })
    .from(users)
    .where(eq(users.isAdmin, true))
    .prepare('select_admin_names'),
)
