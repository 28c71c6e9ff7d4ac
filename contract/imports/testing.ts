import type { ImportTarget } from './apply.ts'
import type { ImportedDay, ImportedDraft, ImportedEntry, ImportedFile } from './entry.ts'
import type { StoredWriting } from './plan.ts'
import type { StoredDay } from './plan-day.ts'

export const aFile = (entries: ImportedEntry[], more: Partial<ImportedFile> = {}): ImportedFile => ({
  format: 'dayone',
  entries,
  notUnderstood: [],
  skipped: [],
  ...more,
})

export const aDay = (text: string, more: Partial<ImportedDay> = {}): ImportedDay => ({
  kind: 'day',
  of: 'diary',
  day: '2019-06-10',
  time: null,
  text,
  place: 'Journal.json',
  ...more,
})

export const aPost = (text: string, more: Partial<ImportedDraft> = {}): ImportedDraft => ({
  kind: 'draft',
  title: '',
  text,
  createdAt: null,
  category: null,
  tags: [],
  place: 'posts/1.md',
  ...more,
})

interface Text {
  id: string
  content: string
}

/** What a person has, in memory. It saves as the server does: a day by its base, a text by its id. */
export class WritingInMemory implements ImportTarget {
  readonly diary = new Map<string, StoredDay>()
  readonly calendar = new Map<string, StoredDay>()
  readonly drafts: Text[] = []
  readonly documents: Text[] = []
  draftsMax = 200
  #saves = 0

  get stored(): StoredWriting {
    const textsOf = (texts: Text[]) => ({
      ids: new Set(texts.map(({ id }) => id)),
      texts: new Set(texts.map(({ content }) => content)),
    })
    return {
      diary: this.diary,
      calendar: this.calendar,
      drafts: textsOf(this.drafts),
      documents: textsOf(this.documents),
    }
  }

  write(of: 'diary' | 'calendar', day: string, text: string): void {
    this[of].set(day, { text, updatedAt: `save ${++this.#saves}` })
  }

  readonly saveDay: ImportTarget['saveDay'] = async ({ of, day, text, base }) => {
    const current = this[of].get(day) ?? { text: '', updatedAt: null }
    if (current.updatedAt !== base) return { current }
    this.write(of, day, text)
    return 'saved'
  }

  readonly saveDraft: ImportTarget['saveDraft'] = async ({ id, fields }) =>
    this.drafts.length >= this.draftsMax ? 'full' : this.#add(this.drafts, id, fields.content)

  readonly saveDocument: ImportTarget['saveDocument'] = async ({ id, content }) =>
    this.#add(this.documents, id, content)

  #add(texts: Text[], id = `id ${++this.#saves}`, content: string) {
    if (texts.some((text) => text.id === id)) return 'id in use'
    texts.push({ id, content })
    return 'saved'
  }
}
