import {
  documentMaxLength,
  documentSourceMaxLength,
  documentsMax,
  documentTitleMaxLength,
} from '#contract/documents/document.ts'
import { DraftFields, draftMaxLength, draftsMax } from '#contract/drafts/draft.ts'
import { categories } from '#contract/feed/categories.ts'
import { tagMaxLength, tagsMax } from '#contract/feed/post.ts'
import { Id } from '#contract/schemas.ts'
import { withTitle } from '#contract/text-form.ts'
import { countWords, cut, fits, isBlank, withLf } from '#contract/text.ts'
import { textRefusal } from './checks.ts'
import { noCounts } from './counts.ts'
import type { ImportedDocument, ImportedDraft, ImportFormat } from './entry.ts'
import { formatNames } from './format-names.ts'
import { type ImportItem, skippedItem, type PlannedProblem } from './item.ts'

/** The drafts, or the documents, that a person has. */
export interface StoredTexts {
  ids: ReadonlySet<string>
  /** Only the texts whose number of words is that of some text of the file: all others differ from it anyway. */
  texts: ReadonlySet<string>
}

export interface DocumentWrite {
  kind: 'document'
  id: string | undefined
  source: string
  title: string
  content: string
  createdAt: string | null
  place: string
}

export interface DraftWrite {
  kind: 'draft'
  id: string | undefined
  fields: DraftFields
  createdAt: string | null
  updatedAt: string | null
  place: string
  /** What is stored when there is no room for a draft any more. */
  asDocument: DocumentWrite
}

type ImportedText = ImportedDraft | ImportedDocument

/** The text of a draft or a document as it is stored. A draft has no title of its own: it becomes the first line. */
export function contentOf(entry: ImportedText): string {
  const text = withLf(entry.text)
  const title = entry.title.trim()
  if (entry.kind === 'document' || title === '' || text.trimStart().startsWith(title)) return text
  return withTitle(title, text)
}

/** The numbers of words of all drafts and documents of a file: only stored texts with one of them are compared. */
export const wordCountsOf = (entries: readonly ImportedText[]): Set<number> =>
  new Set(entries.map((entry) => countWords(contentOf(entry))))

type TextItem = ImportItem<DraftWrite | DocumentWrite>

/** Plans the drafts and documents of a file. A draft without room among the drafts becomes a document. */
export function planTexts(
  format: ImportFormat,
  entries: readonly ImportedText[],
  { drafts, documents }: Record<'drafts' | 'documents', StoredTexts>,
): TextItem[] {
  // A draft without room may have become a document. A document is never equal to a draft: an archive may hold both.
  const known = { draft: new Set([...drafts.texts, ...documents.texts]), document: new Set(documents.texts) }
  const usedIds = new Set([...drafts.ids, ...documents.ids])
  let draftsLeft = draftsMax - drafts.ids.size
  let documentsLeft = documentsMax - documents.ids.size

  return entries.map((entry): TextItem => {
    const { kind, place } = entry
    const content = contentOf(entry)
    const refusal = textRefusal(content) ?? (fits(content, documentMaxLength) ? undefined : tooLong)
    if (refusal !== undefined) return skippedItem([place], refusal)
    if (known[kind].has(content))
      return { counts: { ...noCounts(), same: 1 }, problems: [], write: undefined }
    const fitsDraft = fits(content, draftMaxLength)
    const isDraft = kind === 'draft' && draftsLeft > 0 && fitsDraft
    if (!isDraft && documentsLeft === 0) return skippedItem([place], noRoom)
    const id = idIn(format, place, usedIds)
    known[kind].add(content)
    if (id !== undefined) usedIds.add(id)
    const counts = { ...noCounts(), new: 1 }
    const note = (reason: string): PlannedProblem => ({ kind: 'note', place, reason })
    const asDocument = documentOf(format, entry, content, id)
    if (isDraft) {
      draftsLeft--
      const { category, tags, leftOut } = choicesOf(entry)
      const problems = leftOut === undefined ? [] : [note(leftOut)]
      const fields = { content, category, tags, ...signatureOf(entry) }
      const times = { createdAt: instantOf(entry.createdAt), updatedAt: instantOf(entry.updatedAt ?? null) }
      return { counts, problems, write: { kind: 'draft', id, fields, ...times, place, asDocument } }
    }
    documentsLeft--
    const problems = kind === 'draft' ? [note(fitsDraft ? becomesDocument : isLongDraft)] : []
    return { counts, problems, write: asDocument }
  })
}

const tooLong = `A document has at most ${documentMaxLength.toLocaleString('en-US')} characters.`
const noRoom = `There is no room for more than ${documentsMax.toLocaleString('en-US')} documents.`
export const becomesDocument = `There is no room for more than ${draftsMax} drafts: it becomes a document.`
const isLongDraft = 'It is too long for a draft: it becomes a document.'

const textPath = /^(?:drafts|documents)\/(.+)\.md$/

/** The id that an archive of ours names, unless this person uses it for another text. */
function idIn(format: ImportFormat, place: string, usedIds: ReadonlySet<string>): string | undefined {
  const { data: id } = Id.safeParse(format === 'zimmer' ? textPath.exec(place)?.[1] : undefined)
  return id === undefined || usedIds.has(id) ? undefined : id
}

function documentOf(
  format: ImportFormat,
  entry: ImportedText,
  content: string,
  id: string | undefined,
): DocumentWrite {
  const source = entry.kind === 'document' && !isBlank(entry.source) ? entry.source : formatNames[format]
  const title = storableLine(isBlank(entry.title) ? content.trim().split('\n', 1)[0]! : entry.title)
  return {
    kind: 'document',
    id,
    source: shorten(storableLine(source), documentSourceMaxLength),
    title: shorten(title, documentTitleMaxLength) || 'Without a title',
    content,
    createdAt: instantOf(entry.createdAt),
    place: entry.place,
  }
}

const storableLine = (text: string) => (textRefusal(text) === undefined ? text : '')

const shorten = (text: string, max: number) => (fits(text, max) ? text : cut(text, max - 1))

/** The instant in UTC with milliseconds; null for what is none. */
function instantOf(text: string | null): string | null {
  const date = new Date(text ?? NaN)
  if (Number.isNaN(date.getTime())) return null
  const instant = date.toISOString()
  return /^\d{4}-/.test(instant) && !instant.startsWith('0000') ? instant : null
}

/** What else a draft of ours has. A value that no draft has is left out. */
function signatureOf({ authorName, postType, form }: ImportedDraft) {
  const { authorName: name, postType: type, form: ofText } = DraftFields.def.shape
  return {
    authorName: name.safeParse(authorName).data ?? null,
    postType: type.safeParse(postType).data ?? 'standard',
    form: ofText.safeParse(form).data ?? null,
  }
}

/** Category and tags as far as a draft has them, and a sentence about the rest. */
function choicesOf({ category, tags }: ImportedDraft) {
  const chosen = categories.find((name) => name.toLowerCase() === category?.trim().toLowerCase()) ?? null
  const asked = chosen === null && category !== null ? [category, ...tags] : tags
  const usable = asked.filter((tag) => textRefusal(tag) === undefined && fits(tag, tagMaxLength))
  const taken = [...new Set(usable)].slice(0, tagsMax)
  const lost = asked.filter((tag) => !taken.includes(tag))
  const leftOut =
    lost.length === 0
      ? undefined
      : `Tags that were not taken: ${namesOf(lost)}. A draft has at most ${tagsMax}, each of ${tagMaxLength} characters.`
  return { category: chosen, tags: taken, leftOut }
}

/** The first of many names, so that the sentence stays short. */
function namesOf(tags: readonly string[]): string {
  const named = tags.slice(0, 20).map((tag) => cut(tag, 100))
  const more = tags.length - named.length
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`
}
