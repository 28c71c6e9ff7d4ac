import { createHmac } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { firstWordsOf, postPath } from '#contract/feed/post.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { formOf } from '#contract/text-form.ts'
import type { Config } from '#server/config.ts'
import { rooms } from '#server/features/rooms/index.ts'
import { listAuthors, listPosts } from '#server/features/syndication/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import { keyFor } from '#server/platform/instance.ts'
import type { Delivery } from './queries.ts'

interface Payload {
  title: string
  url: string
  /** The names under which the authors have published. */
  authors: string[]
}

/** What a delivery tells a webhook, as it is now. Undefined when the post or the story is not public, or not any more (S63). */
export async function findPayload(
  db: Db,
  config: Config,
  { event, subjectId }: Delivery,
): Promise<Payload | undefined> {
  if (event === 'post.published') {
    const [post] = await listPosts(db, [subjectId])
    if (post === undefined) return undefined
    const title = formOf(post.content).title ?? firstWordsOf(post)
    return { title, url: publicAddress(config, postPath(post.id)), authors: [post.authorName] }
  }
  const [story] = await db
    .select({ id: rooms.id, name: rooms.name })
    .from(rooms)
    .where(and(eq(rooms.id, subjectId), rooms.isPublic, sql`${rooms.expiresAt} <= app_now()`))
  if (story === undefined) return undefined
  const authors = (await listAuthors(db, [story.id])).get(story.id) ?? []
  return {
    title: story.name,
    url: publicAddress(config, storyPath(story.id)),
    authors: authors.flatMap(({ authorName }) => authorName ?? []),
  }
}

/** The secret of a webhook. It is made of the secret of the installation, and stored nowhere. */
export const webhookSecret = (webhookId: string, secret: string): string =>
  `whsec_${keyFor(`webhook ${webhookId}`, secret).toString('base64')}`

/** Headers that say who sends a message and when (Standard Webhooks, version 1). */
export function signatureHeaders(secret: string, { id, body, now }: { id: string; body: string; now: Date }) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
