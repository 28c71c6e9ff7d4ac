import { writeFile } from 'node:fs/promises'
import { picturesOnly } from '#contract/covers/cover.ts'
import { coverOf, coverPath, coversFolder } from '#contract/covers/paths.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import type { Config } from '#server/config.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import { admins } from '#server/platform/http/policy.ts'
import { serveFiles } from '#server/platform/http/send-file.ts'
import type { Server } from '#server/platform/http/server.ts'
import { uploadRate } from '#server/platform/http/uploads.ts'
import { newId } from '#server/platform/ids.ts'
import { StoredFiles } from '#server/platform/stored-files.ts'
import { encodeCover, formatOf } from './picture.ts'
import { addCover, isCover, listCovers, removeUnusedCovers, takeCover } from './queries.ts'

declare module '#server/platform/audit.ts' {
  interface AuditActions {
    'cover-uploaded': true
  }
}

export function createCovers({ config, database }: { config: Config; database: Database }) {
  const files = new StoredFiles(config.dataDir, { kind: 'covers', extension: '.webp' })
  const upload = {
    limits: [uploadRate],
    // No transaction is open while a picture is encoded, which an Idempotency-Key would need. A cover that is uploaded
    // twice and used once is deleted.
    isRepeatable: true,
    withoutTransaction: 'the file is in its place before a transaction adds the row that names it',
  } as const

  const routes: Route[] = [
    handle(uploadCover, admins, upload, async (call) => {
      const { file, db, audit, fail, log } = call
      const format =
        (await formatOf(file.path)) ??
        fail('InvalidInput', { error: picturesOnly, fields: { cover: picturesOnly } })
      const onFailure = (message: string) => log.warn({ message }, 'a picture could not be encoded')
      const { encoding, cover } =
        (await encodeCover(file.path, format, onFailure)) ?? fail('PictureUnreadable')
      const size = 'refusal' in encoding ? fail(encoding.refusal) : encoding
      // Nothing of the uploaded bytes stays.
      await writeFile(file.path, cover, { flush: true })
      const added = { id: newId(call), ...size }
      await files.keep(file.path, added.id)
      await db.transaction(async (tx) => {
        await audit('cover-uploaded', { subjectId: added.id }, tx)
        await addCover(tx, { ...added, bytes: cover.length })
      })
      return { imageUrl: coverPath(added) }
    }),
  ]

  return {
    routes,
    /** Gives a post the cover of an address. False for an upload that is no unused cover; other addresses pass. */
    async take(db: Db, imageUrl: string, postId: string): Promise<boolean> {
      if (!new URL(imageUrl, 'https://own').pathname.startsWith('/uploads/')) return true
      const cover = coverOf(imageUrl)
      return cover !== undefined && takeCover(db, cover, postId)
    },
    serve: (server: Server) =>
      serveFiles(server, {
        folder: coversFolder,
        find: async (name) => {
          const cover = coverOf(`${coversFolder}/${name}`)
          return cover && (await isCover(database, cover)) ? files.pathOf(cover.id) : undefined
        },
        headers: { 'content-type': 'image/webp' },
      }),
    async purge(signal: AbortSignal) {
      // Before the commit: a purge that finds the rows deleted must find the files young.
      await database.transaction(async (tx) => files.retire(await removeUnusedCovers(tx)))
      await files.removeUnused((ids) => listCovers(database, ids), signal)
    },
  }
}
