import type { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { Prepared } from '#server/platform/http/prepared.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { drawPicture } from './picture.ts'
import type { Preview } from './preview.ts'

/** A caller waits no longer. A drawing cannot be interrupted: it runs on, and the next one begins after it. */
const waitsMs = 10_000

/** Draws pictures one at a time, and keeps them among the prepared answers. */
export function createKeptPictures(answers: PreparedAnswers, drawOne = drawPicture) {
  const pictures = answers.of<{ prepared: Prepared; version: string }>('preview')
  const drawing = new Map<string, Promise<Prepared>>()
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100, maxWaitingPerOwner: 20 })

  async function draw(key: string, preview: Preview, owner: string): Promise<Prepared> {
    const prepared = await withPermit(async () => new Prepared(await drawOne(preview)), owner)
    pictures.keep(key, { prepared, version: versionOf(preview) })
    return prepared
  }

  return {
    /** The picture of these texts. Callers that request it while it is drawn wait for it. `owner` is the address of a caller. */
    async get(key: string, preview: Preview, owner: string): Promise<Prepared> {
      const version = versionOf(preview)
      const kept = pictures.get(key)
      if (kept?.version === version) return kept.prepared
      const keyAndVersion = `${key} ${version}`
      const running = drawing.get(keyAndVersion)
      if (running !== undefined) return inTime(running)
      const drawn = draw(key, preview, owner).finally(() => drawing.delete(keyAndVersion))
      drawing.set(keyAndVersion, drawn)
      return inTime(drawn)
    },
  }
}

/** Refuses with 503 when the picture is not there in time. */
async function inTime(picture: Promise<Prepared>): Promise<Prepared> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Refused('Unavailable', { retryAfter: 2 })), waitsMs)
  try {
    return await Promise.race([picture, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const versionOf = (preview: Preview): string => JSON.stringify(preview)
