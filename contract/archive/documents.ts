import { getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { type ArchiveCalls, rowsOf } from './calls.ts'
import type { ArchiveFile } from './file.ts'
import { writeFrontMatter } from './front-matter.ts'
import { documentPath } from './layout.ts'

/** The texts that came by an import and are neither days nor drafts. */
export async function* documentFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  for await (const { id } of rowsOf(calls, listDocuments)) {
    const document = (await calls.read(getDocument, { params: { id } }))?.output
    if (document === undefined) continue
    const { source, title, createdAt, content } = document
    yield {
      path: documentPath(id),
      content: writeFrontMatter({ source, title, created_at: createdAt }, content),
    }
  }
}
