import { setImmediate } from 'node:timers/promises'
import { Counter } from 'prom-client'
import type { PushContent } from '#contract/push/path.ts'
import type { Config } from '#server/config.ts'
import type { Needs } from '#server/feature.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import type { Server } from '#server/platform/http/server.ts'
import { schedule } from '#server/platform/schedule.ts'
import { topicForPushService, vapidKeys } from './keys.ts'
import { postponePush, removePush, setSent, takePushes, type TakenPush } from './queries.ts'
import { keptHours } from './queue.ts'

export type SenderDeps = Pick<Needs, 'config' | 'database' | 'clock' | 'secret' | 'callOutgoing' | 'events'>

const lookEveryMs = 1000
/** How many pushes a process sends at a time. A slow push service delays the others by one call at most. */
const atOnce = 50
const [firstPauseSeconds, longestPauseSeconds] = [30, 3600]
/** After the push was queued, as for a person without a device. */
const mailAfterSeconds = 1800

type Outcome = 'sent' | 'postponed' | 'dropped' | 'device-gone'

/** Sends pushes. Each is sent at least once, or dropped and counted when it is too old or refused for good. */
export function startSendingPushes({ app, metrics }: Server, deps: SenderDeps): void {
  const { database } = deps
  const running = new Set<Promise<void>>()
  const counted = new Counter({
    name: 'zimmer_pushes_total',
    help: 'Attempts to send a push, by outcome: sent, postponed, dropped because it was too old or refused, or of a device that is gone',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  })
  schedule(app, 'pushes', lookEveryMs, (signal) =>
    ifAvailable(async () => {
      if (running.size === atOnce) return
      for (const push of await takePushes(database, atOnce - running.size)) {
        const work = ifAvailable(async () => {
          const outcome = await send(deps, push, signal)
          if (outcome !== undefined) counted.inc({ outcome })
        })
          .catch((error: unknown) => app.log.error({ err: error }, 'a push could not be handled'))
          .finally(() => running.delete(work))
        running.add(work)
        // The encryption takes up to a millisecond: other requests run between two pushes (S51).
        await setImmediate()
        // After the lease another process sends the others.
        if (signal.aborted) return
      }
    }),
  )
  app.addHook('onClose', async () => void (await Promise.all(running)))
}

/** Undefined when the process ends: after the lease another one sends the push. */
async function send(deps: SenderDeps, push: TakenPush, signal: AbortSignal): Promise<Outcome | undefined> {
  const { clock, database } = deps
  if (push.isOfEndedSession) return end(deps, push, 'device-gone')
  if (push.secondsLeft <= 0) return end(deps, push, 'dropped')
  const answer = await post(deps, push, signal)
  if (answer === undefined && signal.aborted) return undefined
  const { status, retryAfter } = answer ?? { status: undefined, retryAfter: undefined }
  if (status !== undefined) {
    if (status >= 200 && status < 300) return end(deps, push, 'sent')
    if (status === 404 || status === 410) return end(deps, push, 'device-gone')
    if (status !== 429 && status < 500) return end(deps, push, 'dropped')
  }
  const pause = Math.min(firstPauseSeconds * 2 ** (push.attempts - 1), longestPauseSeconds)
  const asked = secondsOf(retryAfter, clock.now())
  const seconds = Math.max(pause, asked)
  // A mail takes the place of the push after `mailAfterSeconds`.
  const laterSeconds = push.eventNumbers.length === 0 ? 0 : keptHours * 3600 - mailAfterSeconds
  if (seconds >= push.secondsLeft - laterSeconds) return end(deps, push, 'dropped')
  await postponePush(database, push, seconds)
  return 'postponed'
}

/** Removes a push, and lets a mail tell of what no device of the person gets. */
async function end({ database, events }: SenderDeps, push: TakenPush, outcome: Outcome): Promise<Outcome> {
  const { userId: personId } = push
  await database.transaction(async (tx) => {
    if (!(await lockPerson(tx, personId))) return
    if (outcome === 'sent') return setSent(tx, push)
    const eventNumbers = await removePush(tx, push, outcome === 'device-gone')
    if (eventNumbers.length === 0) return
    const ageSeconds = keptHours * 3600 - push.secondsLeft
    const inSeconds = Math.max(0, mailAfterSeconds - ageSeconds)
    await events.emitWithin('pushRefused', tx, { personId, eventNumbers, inSeconds })
  })
  return outcome
}

interface Answer {
  status: number
  retryAfter: string | undefined
}

/** Undefined without an answer. */
async function post(
  { config, secret, callOutgoing }: SenderDeps,
  push: TakenPush,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { kind, title, path, topic, endpoint, p256dh, auth } = push
  // Loaded with the first push: an instance without devices needs none of it.
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify({ kind, title, path, topic } satisfies PushContent),
    {
      TTL: Math.ceil(push.secondsLeft),
      topic: topicForPushService(topic, secret),
      vapidDetails: { subject: subjectOf(config), ...vapidKeys(secret) },
    },
  )
  try {
    const { status, headers: answered } = await callOutgoing({
      method: 'POST',
      url: endpoint,
      headers: headersOf(headers),
      body,
      signal,
    })
    return { status, retryAfter: answered['retry-after'] }
  } catch {
    return undefined
  }
}

/** Whom a push service can write to about our pushes. */
const subjectOf = ({ publicOrigin, supportEmail }: Config) =>
  publicOrigin?.startsWith('https://') ? publicOrigin : `mailto:${supportEmail}`

const headersOf = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

/** The header `Retry-After`: seconds or a date. Zero without one. */
function secondsOf(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter)
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1000)
}
