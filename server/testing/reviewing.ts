import { asc, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { approvePost, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'
import { type Client, startTestApp } from './test-app.ts'

export const reason = 'It names a neighbour.\nPlease leave the name out.'

/** An app with an author, Ana, and two admins. */
export async function startReview(more: { logger?: FastifyBaseLogger } = {}) {
  const t = await startTestApp({ config: { limitsRates: false }, ...more })
  const [ana, boss, chief] = [
    await t.person(),
    await t.admin({ firstName: 'Bela', lastName: 'Reed' }),
    await t.admin({ firstName: 'Cleo', lastName: 'Reed' }),
  ]
  const submit = async (content: string, by: Client = ana) =>
    (await by.does(submitPost, { input: { content, authorName: 'Nightingale' } })).id
  const publish = async (content: string, by: Client = ana) => {
    const id = await submit(content, by)
    await boss.does(approvePost, { params: { id } })
    return id
  }
  const readFeed = async () =>
    (await t.visitor().does(getFeedDay, { params: { offset: '0' } })).map(({ content }) => content)
  const queue = async () => (await boss.does(listPendingPosts)).map(({ id }) => id)
  return { ...t, ana, boss, chief, submit, publish, readFeed, queue }
}

/** The entries of the audit log about posts, oldest first. */
export const auditedPosts = (db: Db) =>
  db
    .select({
      action: auditLog.action,
      actorId: auditLog.actorId,
      subjectId: auditLog.subjectId,
      details: auditLog.details,
    })
    .from(auditLog)
    .where(sql`action like 'post-%'`)
    .orderBy(asc(auditLog.id))

export const hide = (id: string, more: object = {}) => ({
  params: { id },
  input: { isVisible: false, ...more },
})
export const show = (id: string, more: object = {}) => ({
  params: { id },
  input: { isVisible: true, ...more },
})
