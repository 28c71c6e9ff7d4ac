import type { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { Prepared } from '#server/platform/http/prepared.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { drawPicture } from './picture.ts'
import type { Preview } from './preview.ts'

/** Draws pictures, and keeps them among the prepared answers. */
export function createKeptPictures(answers: PreparedAnswers) {
  const pictures = answers.of<{ prepared: Prepared; version: string }>('preview')
  const drawing = new Map<string, Promise<Prepared>>()
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100, maxWaitingPerOwner: 20 })

  async function draw(key: string, preview: Preview, owner: string): Promise<Prepared> {
    const prepared = await withPermit(async () => new Prepared(await drawPicture(preview)), owner)
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
      if (running !== undefined) return running
      const drawn = draw(key, preview, owner).finally(() => drawing.delete(keyAndVersion))
      drawing.set(keyAndVersion, drawn)
      return drawn
    },
  }
}

const versionOf = (preview: Preview): string => JSON.stringify(preview)
