import { getCurrentIssue, uploadIssue } from '#contract/magazine/endpoints.ts'
import { issuePath, pdfOnly, pdfType } from '#contract/magazine/issue.ts'
import type { FilesPlace, Started } from '#server/feature.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { changeOnce, refuseKeyInUse } from '#server/platform/http/endpoints/idempotency.ts'
import { admins, sameForAll, withScope } from '#server/platform/http/endpoints/policy.ts'
import { serveFiles } from '#server/platform/http/answers/send-file.ts'
import { uploadRate } from '#server/platform/http/request/uploads.ts'
import { newId } from '#server/platform/ids.ts'
import { StoredFiles } from '#server/platform/stored-files.ts'
import { isPdf } from './pdf.ts'
import { addIssue, findCurrentIssue, isIssue } from './queries.ts'
import { issueFiles } from './schema.ts'

export function createMagazine({ database, uploads }: FilesPlace): Started {
  const files = new StoredFiles(uploads, issueFiles)
  const upload = {
    limits: [uploadRate],
    withoutTransaction: 'the file is in its place before a transaction adds the row that names it',
    claimsKey: true,
  } as const

  const routes: Route[] = [
    handle(uploadIssue, admins, upload, async (call) => {
      const { file, db, claim, audit, fail } = call
      if (!(await isPdf(file))) fail('InvalidInput', { error: pdfOnly, fields: { litmag: pdfOnly } })
      // A repeated call stores no second file.
      await refuseKeyInUse(db, claim)
      const id = newId(call)
      await files.keep(file.path, id)
      return changeOnce(db, claim, async (tx) => {
        await audit('magazine-uploaded', { subjectId: id }, tx)
        // Before the commit, so that a purge that does not find the rows leaves the files for an hour.
        await files.delayRemoval(await addIssue(tx, id))
        return { url: issuePath(id) }
      })
    }),

    handle(getCurrentIssue, withScope('any', sameForAll), async ({ db }) => {
      const id = await findCurrentIssue(db)
      return { url: id === undefined ? null : issuePath(id) }
    }),
  ]

  return {
    routes,
    serve: (server) =>
      serveFiles(server, {
        uploads,
        folder: '/uploads/magazine',
        find: async (name) => {
          const id = files.idOf(name)
          if (id === undefined || !(await isIssue(database, id))) return undefined
          return { name: files.nameOf(id), isPublished: true }
        },
        headers: {
          'content-type': pdfType,
          'content-disposition': 'attachment; filename="literary-magazine.pdf"',
        },
      }),
  }
}

export const purgeIssues = ({ database, uploads }: FilesPlace, signal: AbortSignal): Promise<void> =>
  new StoredFiles(uploads, issueFiles).removeUnused(database, signal)
