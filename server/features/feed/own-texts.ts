import { sql } from 'drizzle-orm'
import type { OwnText } from '#contract/feed/own/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { endOfPage } from './page-bytes.ts'

/** The posts of a person in every state. Each is in one of these tables. */
const ofPerson = (authorId: string) => sql`
  select id, content, author_name, post_type, category, tags, form, is_visible, created_at, published_at, edited_at,
    null::timestamptz as publish_at, null::timestamptz as taken_back_at,
    case when published_at is null then 'pending' else 'published' end as status
  from posts where author_id = ${authorId} and replaces_id is null
  union all
  select id, content, author_name, post_type, category, tags, form, is_visible, created_at, null, null,
    publish_at, null, 'scheduled'
  from scheduled_posts where author_id = ${authorId}
  union all
  select id, content, author_name, post_type, category, tags, form, is_visible, created_at, published_at, edited_at,
    null, taken_back_at, kind
  from taken_back_posts where author_id = ${authorId}`

type Row = Omit<OwnText, 'waitingVersion'> & {
  waitingContent: string | null
  waitingCategory: OwnText['category']
  waitingTags: string[]
  waitingForm: OwnText['form']
  waitingWrittenAt: string
}

/** The posts of a person as a whole, newest first. A page of long texts is shorter than `limit`. */
export async function findOwnTextPage(
  db: Db,
  authorId: string,
  { limit, before }: TimeSlice,
): Promise<{ texts: OwnText[]; next: TimeCursor | undefined }> {
  const isAfter =
    before && sql`where (own.created_at, own.id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`
  const { rows: sized } = await db.execute<{ id: string; createdAt: string; bytes: number }>(sql`
    select own.id, own.created_at as "createdAt",
      octet_length(own.content) + coalesce(octet_length(waiting.content), 0) as bytes
    from (${ofPerson(authorId)}) as own left join posts as waiting on waiting.replaces_id = own.id
    ${isAfter}
    order by own.created_at desc, own.id desc limit ${limit + 1}`)
  const { ids, next } = endOfPage(sized, limit)
  const { rows } = await db.execute<Row & Record<string, unknown>>(sql`
    select own.id, own.status, own.content, own.author_name as "authorName", own.post_type as "postType", own.category,
      own.tags, own.form, own.is_visible as "isVisible", own.created_at as "createdAt",
      own.published_at as "publishedAt", own.edited_at as "editedAt", own.publish_at as "publishAt",
      own.taken_back_at as "takenBackAt", waiting.content as "waitingContent", waiting.category as "waitingCategory",
      waiting.tags as "waitingTags", waiting.form as "waitingForm",
      coalesce(waiting.written_at, waiting.created_at) as "waitingWrittenAt",
      array(select id from post_versions where post_id = own.id and author_id = ${authorId}
        order by replaced_at, id) as "versionIds"
    from (${ofPerson(authorId)}) as own left join posts as waiting on waiting.replaces_id = own.id
    where own.id = any(${sql.param(ids)}::uuid[])
    order by own.created_at desc, own.id desc`)
  return { texts: rows.map(textOf), next }
}

const textOf = ({
  waitingContent,
  waitingCategory,
  waitingTags,
  waitingForm,
  waitingWrittenAt,
  ...text
}: Row): OwnText => ({
  ...text,
  waitingVersion:
    waitingContent === null
      ? null
      : {
          content: waitingContent,
          category: waitingCategory,
          tags: waitingTags,
          form: waitingForm,
          writtenAt: waitingWrittenAt,
        },
})
