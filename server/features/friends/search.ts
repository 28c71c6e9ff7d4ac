import { type SQL, sql } from 'drizzle-orm'
import { type Friend, searchTextMinLength } from '#contract/friends/friend.ts'
import { foundPeopleMax } from '#contract/friends/endpoints.ts'
import { fullName, hasHiddenTexts, users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isBlockBetween } from './pairs.ts'

/** What `folded_name` in the database makes of a name: letters without marks and case, so that 'jose' finds 'José'. */
const folded = (name: SQL) => sql`folded_name(${name})`

/**
 * Registered people whose full name, last name or username begins with the text, or whose email address it is (S39).
 * Each part reads the first matches of one index, so that a short text on a large instance costs no more.
 */
export async function listFoundPeople(db: Db, readerId: string, text: string): Promise<Friend[]> {
  const { rows } = await db.execute<Friend & Record<string, unknown>>(searchQuery(readerId, text))
  return rows
}

export function searchQuery(readerId: string, text: string): SQL {
  const isVisible = sql`id <> ${readerId} and username is not null and not ${hasHiddenTexts(users.id)}
    and not ${isBlockBetween(sql`${readerId}`, sql`users.id`)}`
  const begins = (name: SQL) => sql`(
    select id from users
    where ${folded(name)} ~>=~ ${folded(sql`${text}`)} and ${folded(name)} ~<~ (${folded(sql`${text}`)} || ${lastCharacter})
      and not is_anonymous and ${isVisible} and length(${folded(sql`${text}`)}) >= ${searchTextMinLength}::int
    order by ${folded(name)} using ~<~ limit ${foundPeopleMax}::int)`
  return sql`
    with by_email as (
      select user_id as id, address from emails join users on users.id = emails.user_id
      where address = ${text.toLowerCase()} and ${isVisible}
    ),
    found as (
      select id from by_email
      union ${begins(sql`username`)} union ${begins(fullName)} union ${begins(sql`last_name`)}
    )
    select users.id, username, first_name as "firstName", last_name as "lastName", by_email.address as email
    from found join users on users.id = found.id left join by_email on by_email.id = users.id
    order by by_email.address is null, ${folded(fullName)}, users.id
    limit ${foundPeopleMax}::int`
}

/** Every text that begins with a prefix comes before the prefix followed by this character. */
const lastCharacter = '\u{10FFFF}'
