import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { readFrontMatter } from '#contract/archive/front-matter.ts'
import { archiveFormat, archiveVersion, manifestPath } from '#contract/archive/layout.ts'
import type { ImportedEntry } from '../entry.ts'
import { decodePieces, joinPieces, utf8Pieces } from './decode.ts'
import type { Findings } from './findings.ts'
import { JsonScanner } from './json-scanner.ts'
import { instantText } from './local-time.ts'
import { headingOf } from './markdown-text.ts'
import { ImportRefused, itemsMax, NotUnderstood, tagsReadMax } from './refused.ts'
import type { SourceFile } from './source.ts'
import { fieldsOf, listOf, textOf } from './values.ts'

// An archive of ours (`contract/archive/layout.ts`). A file counts once: as an entry, as not understood or as skipped.

/** The manifest of an archive of ours, which may stand in a folder. Undefined: another program wrote the files. */
export async function findManifest(files: readonly SourceFile[]): Promise<FoundManifest | undefined> {
  for (const file of files) {
    if (file.path !== manifestPath && !/^[^/]+\/manifest\.json$/.test(file.path)) continue
    const sums = await checksumsIn(file)
    if (sums) return { folder: file.path.slice(0, -manifestPath.length), sums }
    file.isRead = false
  }
  return undefined
}

/** Undefined: it is no manifest of ours. */
async function checksumsIn(file: SourceFile): Promise<Map<string, string> | undefined> {
  const sums = new Map<string, string>()
  let isDamaged = false
  const scanner = new JsonScanner(['files'], (_list, read) => {
    const { path, sha256: sum } = fieldsOf(read())
    if (typeof path === 'string' && typeof sum === 'string') sums.set(path, sum)
    else isDamaged = true
    if (sums.size > itemsMax) throw new NotUnderstood('The manifest of this archive lists too many files.')
  })
  for await (const piece of utf8Pieces(file.pieces())) scanner.push(piece)
  const { format, version } = fieldsOf(scanner.rest())
  if (format !== archiveFormat) return undefined
  if (Number(version) > archiveVersion)
    throw new ImportRefused('A newer version of Z!mmer wrote this archive. This version cannot read it.')
  if (isDamaged) throw new ImportRefused('The manifest of this archive is damaged.')
  return sums
}

interface FoundManifest {
  folder: string
  /** The checksums of the other files. */
  sums: ReadonlyMap<string, string>
}

export async function readArchive(
  files: readonly SourceFile[],
  { folder, sums }: FoundManifest,
  findings: Findings,
): Promise<void> {
  const missing = new Set(sums.keys())
  for (const file of files) {
    if (!file.path.startsWith(folder)) continue
    const path = file.path.slice(folder.length)
    missing.delete(path)
    const entryOf = readerOf(path)
    if (path === manifestPath) findings.skip(path, 'The manifest lists the other files.')
    if (!entryOf) continue
    await findings.attemptFile(path, async () => {
      const hash = sha256.create()
      const text = await joinPieces(decodePieces(hashed(file.pieces(), hash), true))
      const sum = sums.get(path)
      if (sum === undefined) throw new NotUnderstood('The manifest of this archive does not list this file.')
      if (bytesToHex(hash.digest()) !== sum)
        throw new NotUnderstood('This file was changed or damaged: its checksum is not that of the manifest.')
      findings.add(entryOf(text))
    })
  }
  for (const path of missing)
    findings.notUnderstand(path, 'The archive does not hold this file of its manifest.')
}

async function* hashed(pieces: AsyncIterable<Uint8Array>, hash: { update: (piece: Uint8Array) => unknown }) {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

type EntryOf = (file: string) => ImportedEntry

/** How a file becomes an entry. Undefined: it is not imported. */
function readerOf(path: string): EntryOf | undefined {
  const [, of, day] = /^(diary|calendar)\/(\d{4}-\d{2}-\d{2})\.md$/.exec(path) ?? []
  if (of && day)
    return (file) => {
      const { fields, text } = readFrontMatter(file)
      const updatedAt = instantText(fields['updated_at']) ?? undefined
      return { kind: 'day', of: of as 'diary' | 'calendar', day, time: null, text, updatedAt, place: path }
    }
  if (/^(?:posts|drafts)\/[^/]+\.md$/.test(path)) return (file) => draftOf(file, path)
  if (/^documents\/[^/]+\.md$/.test(path)) return (file) => documentOf(file, path)
  if (/^stories\/[^/]+\/story\.md$/.test(path)) return (file) => whole(file, path, 'Z!mmer story')
  if (/^messages\/[^/]+\.md$/.test(path)) return (file) => whole(file, path, 'Z!mmer conversation')
  return undefined
}

function draftOf(file: string, place: string): ImportedEntry {
  const { fields, text } = readFrontMatter(file)
  return {
    kind: 'draft',
    title: '',
    text,
    createdAt: instantText(fields['created_at']),
    updatedAt: instantText(fields['updated_at']) ?? undefined,
    authorName: textOf(fields['author_name']) || undefined,
    postType: textOf(fields['type']) || undefined,
    form: textOf(fields['form']) || undefined,
    category: textOf(fields['category']) || null,
    tags: listOf(fields['tags']).slice(0, tagsReadMax).map(textOf),
    place,
  }
}

function documentOf(file: string, place: string): ImportedEntry {
  const { fields, text } = readFrontMatter(file)
  const createdAt = instantText(fields['created_at'])
  return {
    kind: 'document',
    source: textOf(fields['source']),
    title: textOf(fields['title']),
    text,
    createdAt,
    place,
  }
}

const whole = (text: string, place: string, source: string): ImportedEntry => ({
  kind: 'document',
  source,
  title: headingOf(text.slice(0, 1000)),
  text,
  createdAt: null,
  place,
})
