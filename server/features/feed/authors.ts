import { and, eq, type SQL, sql } from 'drizzle-orm'
import { hasHiddenTexts, peopleWithHiddenTexts } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { posts } from './schema.ts'

/**
 * A condition on a post: it is published, and no admin has hidden it. A suspension of its author may hide it.
 * Must stay equal to the condition of the index `posts_published_of_author`, or Postgres does not use it.
 */
export const isApproved = sql`posts.is_visible and posts.published_at is not null`

/** A condition on a post: everybody may read it. */
export const isPublished = sql`${isApproved} and not ${hasHiddenTexts(sql`posts.author_id`)}`

/** The same for a list that is read from an index alone, which has no authors: the hidden posts are found first. */
export const isPublishedById = sql`${isApproved} and posts.id not in (
  select hidden.id from posts as hidden
  where hidden.author_id in ${peopleWithHiddenTexts} and hidden.is_visible and hidden.published_at is not null)`

/** The name on the page of a person. Never the email address, and no username: the server may have made it from the address. */
export const nameOnPage = sql<string>`case when users.first_name is null then 'User ' || users.id
  else concat_ws(' ', users.first_name, users.last_name) end`

/**
 * Whether a post carries the name on the page of its author. A post under another name, such as a pen name, never leads to
 * its author.
 */
export const carriesName = sql`lower(posts.author_name) = lower(${nameOnPage})`

/** Whether a row of `users` has a page as soon as a public post carries its name. */
export const mayHavePage = sql`not users.is_anonymous and coalesce(users.has_page, true)`

/** Whether the name on a public post leads to the page of its author. A join would cost the list its order by the index. */
export const authorHasPage: SQL<boolean> = sql<boolean>`coalesce((
  select ${mayHavePage} and ${carriesName}
  from users where users.id = posts.author_id), false)`

/** Whether a row of `users` has a page: as chosen in the settings, else once a public post carries the name. */
export const hasPage: SQL<boolean> = sql<boolean>`(not users.is_anonymous
  and not ${hasHiddenTexts(sql`users.id`)} and coalesce(users.has_page, exists (
    select 1 from posts where posts.author_id = users.id and ${isApproved} and ${carriesName})))`

/** The days of the feed with posts of the person that are published or hidden by a suspension. */
export async function listDaysOfPerson(db: Db, personId: string): Promise<string[]> {
  const found = await db
    .selectDistinct({ day: posts.publishedOn })
    .from(posts)
    .where(and(eq(posts.authorId, personId), isApproved))
  return found.map(({ day }) => day!)
}
