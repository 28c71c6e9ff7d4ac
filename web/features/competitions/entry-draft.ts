import { isBlank } from '#contract/text.ts'
import { keysOfPerson, personKey, storedJson } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'

export interface Draft {
  title: string
  content: string
  authorName: string
  email: string
  bio: string
}

const emptyDraft: Draft = { title: '', content: '', authorName: '', email: '', bio: '' }

const area = 'sessionStorage'
const prefix = 'competition-entry'
export const draftKeyOf = (owner: string, competitionId: string): string =>
  personKey(prefix, owner, competitionId)

const schema = storedRow<Draft>({
  title: 'string',
  content: 'string',
  authorName: 'string',
  email: 'string',
  bio: 'string',
})

const draftAt = (key: string) => storedJson({ area, key, schema, fallback: emptyDraft })

/** The draft of an entry. It is kept until the tab is closed or the person logs out. */
export const readDraft = (key: string): Draft => draftAt(key).read()

export function keepDraft(key: string, draft: Draft): void {
  if (Object.values(draft).every(isBlank)) draftAt(key).remove()
  else draftAt(key).write(draft)
}

/** Whether this tab keeps an entry of the person. There is no other copy of it. */
export const hasEntryDraft = (owner: string): boolean =>
  keysOfPerson(area, owner).some((key) => key.startsWith(`${prefix}:`))
