import { and, desc, eq, sql } from 'drizzle-orm'
import type { User } from '#contract/account/user.ts'
import { type Db, statement } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/paging.ts'
import { newPersonId, type Random } from '#server/platform/ids.ts'
import { isProductName } from './product-names.ts'
import { credentials, emails, users } from './schema.ts'

const userFields = {
  id: users.id,
  email: emails.address,
  firstName: users.firstName,
  lastName: users.lastName,
  username: users.username,
  isAnonymous: users.isAnonymous,
  anonymousId: users.anonymousId,
  isAdmin: users.isAdmin,
  createdAt: users.createdAt,
}

/** A person as they see themself. */
export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const [user] = await db
    .select(userFields)
    .from(users)
    .leftJoin(emails, eq(emails.userId, users.id))
    .where(eq(users.id, id))
  return user
}

/** Registered people, newest first. */
export function listPeople(
  db: Db,
  { limit, before }: { limit: number; before?: TimeCursor | undefined },
): Promise<User[]> {
  return db
    .select(userFields)
    .from(users)
    .innerJoin(emails, eq(emails.userId, users.id))
    .where(
      and(
        eq(users.isAnonymous, false),
        before && sql`(${users.createdAt}, ${users.id}) < (${before.createdAt}::timestamptz, ${before.id})`,
      ),
    )
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit)
}

export interface Account {
  id: string
  isAdmin: boolean
  isDemo: boolean
  secret: string
}

const accountFields = {
  id: users.id,
  isAdmin: users.isAdmin,
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

export async function isEmailTaken(db: Db, address: string): Promise<boolean> {
  const found = await db.select({ userId: emails.userId }).from(emails).where(eq(emails.address, address))
  return found.length > 0
}

/** Lets one registration of an address go at a time: the others wait here, and then find it taken. */
export async function lockEmail(db: Db, address: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${address}, 0))`)
}

export interface NewPerson {
  email: string
  secret: string
  firstName: string | null
  lastName: string | null
  /** The wished one; without it one is made from the name. */
  username: string | undefined
  writingSample: string | null
  isAdmin?: boolean
  isDemo?: boolean
}

/** Adds a registered person, unless the email or the wished username is taken. */
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
  return { id }
}

async function addUser(db: Db, random: Random, person: NewPerson): Promise<string | undefined> {
  const { firstName, lastName, writingSample, isAdmin = false, isDemo = false } = person
  const made = baseOfUsername([firstName, lastName].filter(Boolean).join(' ') || person.email.split('@')[0]!)
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
export function baseOfUsername(name: string): string {
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
 * Whether a secret is still the account's, after its password was compared: nothing of the account changes
 * from here to the end of the transaction.
 */
export async function holdSecret(db: Db, { id, secret }: Account): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(credentials, hasPassword)
    .where(and(eq(users.id, id), eq(credentials.secret, secret)))
    .for('no key update')
  return found.length > 0
}

export async function changeSecret(db: Db, userId: string, secret: string): Promise<void> {
  await db
    .update(credentials)
    .set({ secret, updatedAt: sql`app_now()` })
    .where(and(eq(credentials.userId, userId), eq(credentials.kind, 'password')))
}

/** From here to the end of the transaction nothing new can belong to the person, who is about to go. */
export async function lockPerson(db: Db, userId: string): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/** The person with email, credentials and sessions; the data of other features is removed before. */
export async function removeUser(db: Db, userId: string): Promise<void> {
  await db.delete(users).where(eq(users.id, userId))
}

export async function setAdmin(db: Db, userId: string, isAdmin: boolean): Promise<void> {
  await db.update(users).set({ isAdmin }).where(eq(users.id, userId))
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1)
  return found.length > 0
}

/** Display names and usernames of the admins: nobody else may sign with them. */
export async function listAdminNames(db: Db): Promise<string[]> {
  const found = await selectAdminNames(db).execute()
  return found.flatMap(({ firstName, lastName, username }) =>
    [[firstName, lastName].filter(Boolean).join(' '), username ?? ''].filter((name) => name !== ''),
  )
}

const selectAdminNames = statement((db) =>
  db
    .select({ firstName: users.firstName, lastName: users.lastName, username: users.username })
    .from(users)
    .where(eq(users.isAdmin, true))
    .prepare('select_admin_names'),
)
