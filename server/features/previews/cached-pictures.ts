import type { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import { Prepared } from '#server/platform/http/answers/prepared.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { inTime } from '#server/platform/in-time.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { Picture } from './picture.ts'

/** A caller waits no longer. A drawing cannot be interrupted: it runs on, and the next one begins after it. */
const waitsMs = 10_000
const late = () => new Refused('Unavailable', { retryAfter: 2 })

/** Loads the library for pictures with the first drawing, because it takes memory. */
async function drawPicture(picture: Picture) {
  const { drawPicture: draw } = await import('./picture.ts')
  return draw(picture)
}

/** Draws pictures one at a time, and caches them. */
export function createCachedPictures(answers: AnswerCache, drawOne = drawPicture) {
  const pictures = answers.of('preview', { maxAgeMs: Infinity })
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100, maxWaitingPerOwner: 20 })

  return {
    /** A picture. Callers that request it while it is drawn wait for it. `owner` is the address of a caller. */
    async get(key: string, picture: Picture, owner: string): Promise<Prepared> {
      const draw = async () => new Prepared(await drawOne(picture))
      const version = JSON.stringify(picture)
      const drawn = pictures.get(key, version, async () => ({ prepared: await withPermit(draw, { owner }) }))
      return (await inTime(drawn, waitsMs, late)).prepared
    },
  }
}
