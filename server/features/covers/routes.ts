import { writeFile } from 'node:fs/promises'
import { picturesOnly } from '#contract/covers/cover.ts'
import { coverOf, coverPath, coversFolder } from '#contract/covers/paths.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import type { FilesPlace, Started } from '#server/feature.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { isId } from '#server/platform/http/answers/paging.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { serveFiles } from '#server/platform/http/answers/send-file.ts'
import { refuseWhenDiskIsFull, uploadRate } from '#server/platform/http/request/uploads.ts'
import { newId } from '#server/platform/ids.ts'
import { StoredFiles } from '#server/platform/stored-files.ts'
import type { UploadStore } from '#server/platform/uploads/upload-store.ts'
import { encodeCover, formatOf } from './picture.ts'
import {
  addCover,
  assignCover,
  bringCoverBack,
  type CoverUse,
  findReadableCover,
  moveCoverOfPost,
  moveCoverOfScheduledPost,
  putCoverAside,
  removeCoverOf,
  removeUnusedCovers,
} from './queries.ts'
import { coverFiles } from './schema.ts'

export function createCovers({ database, uploads, events }: FilesPlace & { events: DomainEvents }): Started {
  const files = new StoredFiles(uploads, coverFiles)
  const upload = {
    limits: [uploadRate],
    // An Idempotency-Key would keep a transaction open while the picture is encoded. A repeated upload adds a second cover,
    // which is deleted after a day without a post.
    isRepeatable: true,
    withoutTransaction: 'the file is moved into its folder before a transaction adds its row',
  } as const

  events.on('postIdChanged', moveCoverOfPost)
  events.on('postTakenBack', putCoverAside)
  events.on('postRestored', bringCoverBack)
  events.on('scheduledPostMoved', moveCoverOfScheduledPost)

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
      const added = { id: newId(call), ...size }
      await refuseWhenDiskIsFull(async () => {
        // Overwrites the uploaded picture with the encoded one.
        await writeFile(file.path, cover, { flush: true })
        await files.keep(file.path, added.id)
      })
      await db.transaction(async (tx) => {
        await audit('cover-uploaded', { subjectId: added.id }, tx)
        await addCover(tx, { ...added, bytes: cover.length })
      })
      return { imageUrl: coverPath(added) }
    }),
  ]

  return {
    routes,
    serve: (server) =>
      serveFiles(server, {
        uploads,
        folder: coversFolder,
        find: async (name) => {
          const cover = coverOf(`${coversFolder}/${name}`)
          if (cover === undefined || !isId(cover.id)) return undefined
          const state = await findReadableCover(database, cover)
          return state && { name: files.nameOf(cover.id), isPublished: state === 'published' }
        },
        headers: { 'content-type': 'image/webp' },
      }),
  }
}

export async function purgeCovers({ database, uploads }: FilesPlace, signal: AbortSignal): Promise<void> {
  const files = new StoredFiles(uploads, coverFiles)
  // Before the commit, so that a purge of another process that does not find the rows leaves the files for an hour.
  await database.transaction(async (tx) => files.delayRemoval(await removeUnusedCovers(tx)))
  await files.removeUnused(database, signal)
}

/** Erases the cover of a post. Returns the work that deletes its file after the commit. */
export async function eraseCover(db: Db, uploads: UploadStore, postId: string): Promise<() => Promise<void>> {
  const files = new StoredFiles(uploads, coverFiles)
  const ids = await removeCoverOf(db, postId)
  return async () => {
    for (const id of ids) await files.remove(id)
  }
}

/**
 * Gives the cover of an address to a post. Returns false for an address of an upload that is no unused cover. Addresses of
 * other pictures need no cover: true.
 */
export async function assignCoverAt(db: Db, imageUrl: string, use: CoverUse): Promise<boolean> {
  if (!isUpload(imageUrl)) return true
  const cover = coverOf(imageUrl)
  return cover !== undefined && isId(cover.id) && assignCover(db, cover, use)
}

/** Whether the server would look for this path among the uploads. A path that cannot be decoded is one of them. */
function isUpload(path: string): boolean {
  const { pathname } = new URL(path, 'https://own')
  try {
    return decodeURIComponent(pathname).startsWith('/uploads/')
  } catch {
    return true
  }
}
