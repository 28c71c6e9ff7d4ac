import { expect, vi } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { duePosts, publishDuePosts } from '#server/features/feed/due-posts.ts'
import { defaultInstance } from '#server/features/instance/index.ts'
import type { Client, startTestApp } from './test-app.ts'

type App = Pick<Awaited<ReturnType<typeof startTestApp>>, 'config' | 'db' | 'clock'>

/** The time so many minutes from now. */
export const inMinutes = ({ clock }: Pick<App, 'clock'>, minutes: number): string =>
  new Date(clock.now().getTime() + minutes * 60_000).toISOString()

/** Schedules a premium post, and returns its id. */
export const schedule = async (who: Client, content: string, publishAt: string): Promise<string> =>
  (await who.does(submitPost, { input: { content, authorName: 'Nightingale', type: 'premium', publishAt } }))
    .id

const never = new AbortController().signal

/** Publishes what is due, without a wait for the next turn of the app, which publishes too. */
export async function publishDue({ config, db }: App, events = new DomainEvents()): Promise<string[]> {
  const failed: string[] = []
  await publishDuePosts({ config, database: db, events, instance: defaultInstance }, never, (_, id) =>
    failed.push(id),
  )
  await vi.waitFor(async () => expect(await duePosts(db)).toEqual([]), { interval: 20 })
  return failed
}

/** Opens the database of an app that has stopped for another one. */
export const placeOf = ({ connection }: Awaited<ReturnType<typeof startTestApp>>) => ({
  name: 'of the test',
  connection,
  drop: async () => {},
})
