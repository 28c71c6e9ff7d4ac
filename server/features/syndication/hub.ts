import { sql } from 'drizzle-orm'
import { feedFormats, type FeedOf, feedPath } from '#contract/syndication/paths.ts'
import type { Needs } from '#server/feature.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import type { Server } from '#server/platform/http/server.ts'
import type { CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { schedule } from '#server/platform/schedule.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { listPosts } from './queries.ts'

const sendEveryMs = 1000
const lookForStoriesEveryMs = 5000
const longestPauseMs = 10 * 60 * 1000
/** Of each address. With the pauses between them they take hours. */
const maxAttempts = 30
/** Addresses that wait. More than the active people of an instance. */
const maxWaiting = 10_000
const maxPosts = 10_000

export type Deps = Pick<Needs, 'config' | 'database' | 'clock' | 'events' | 'callOutgoing'>

/**
 * Notifies the WebSub hub of the settings which feeds have changed. For a post the process that published it does so, and
 * for stories that ended one of all processes. Notifications wait in memory and are retried: a process that ends loses
 * them. Requests go to the address of the settings alone.
 */
export function addHub({ app }: Server, { config, database, clock, events, callOutgoing }: Deps): void {
  const hubUrl = config.webSubHub
  if (hubUrl === undefined) return
  const newPosts = new Set<string>()
  /** The addresses of the changed feeds, with the number of failed attempts. */
  const waiting = new Map<string, number>()
  let failures = 0
  let notBeforeMs = 0

  function add(of: FeedOf) {
    for (const format of feedFormats) {
      const address = publicAddress(config, feedPath(of, format))
      if (waiting.size < maxWaiting || waiting.has(address)) waiting.set(address, 0)
      else app.log.warn('too many notifications wait for the WebSub hub, so some are dropped')
    }
  }

  /** A post under a pen name names no person, so the hub is not notified of the feed of its author. */
  async function addFeedsOfNewPosts() {
    const ids = [...newPosts]
    if (ids.length === 0) return
    const found = await listPosts(database, ids)
    for (const id of ids) newPosts.delete(id)
    if (found.length > 0) add({ kind: 'posts' })
    for (const id of new Set(found.flatMap(({ authorId }) => authorId ?? []))) add({ kind: 'person', id })
  }

  async function send(signal: AbortSignal) {
    await ifAvailable(addFeedsOfNewPosts)
    for (const [address, attempts] of waiting) {
      if (signal.aborted || clock.monotonicMs() < notBeforeMs) return
      // Deleted first, so that a change of the feed during the request adds it again.
      waiting.delete(address)
      const failure = await notify(callOutgoing, { hubUrl: hubUrl!, address, signal })
      if (failure === undefined) {
        failures = 0
        continue
      }
      if (signal.aborted) return
      failures++
      notBeforeMs = clock.monotonicMs() + Math.min(1000 * 2 ** failures, longestPauseMs)
      const isLast = attempts + 1 >= maxAttempts
      app.log.warn({ address, failure, isLast }, 'the WebSub hub could not be notified of a feed')
      if (!isLast && !waiting.has(address)) waiting.set(address, attempts + 1)
    }
  }

  schedule(app, 'notifying the WebSub hub', sendEveryMs, send)
  schedule(app, 'looking for finished stories', lookForStoriesEveryMs, () =>
    ifAvailable(async () => {
      if (await takeEndedStories(database)) add({ kind: 'stories' })
    }),
  )
  events.on('postsPublished', (ids) => {
    for (const id of ids) if (newPosts.size < maxPosts) newPosts.add(id)
  })
}

/** Returns why the request failed; undefined when the hub accepted it. */
async function notify(
  callOutgoing: CallOutgoing,
  { hubUrl, address, signal }: { hubUrl: string; address: string; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const { status } = await callOutgoing({
      method: 'POST',
      url: hubUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: String(new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': address })),
      isHostOfOperator: true,
      signal,
    })
    return status >= 200 && status < 300 ? undefined : `status ${status}`
  } catch (error) {
    return String(error)
  }
}

/** The fact of the installation that holds the time up to which the hub was notified of finished stories. */
const notifiedFact = 'stories-told-until'

/**
 * Whether public stories have ended since this function last returned true, in any process. Of processes that call it at
 * the same time one gets the answer true.
 */
export async function takeEndedStories(db: Db): Promise<boolean> {
  await db
    .insert(instanceFacts)
    .values({ name: notifiedFact, value: sql`app_now()::text` })
    .onConflictDoNothing()
  // One moment for the condition and the new value, so that no end between the two is missed.
  const { rowCount } = await db.execute(sql`
    update instance_facts set value = moment.at::text
    from (select app_now() as at offset 0) moment
    where name = ${notifiedFact} and exists (
      select 1 from rooms
      where is_public and expires_at > instance_facts.value::timestamptz and expires_at <= moment.at
    )`)
  return rowCount === 1
}
