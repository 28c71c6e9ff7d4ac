import { isBlank } from '#contract/text.ts'
import { formChoices } from '#web/lib/form-choices.ts'
import { keysOfPerson, personKey, storedJson } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'

interface Fields {
  title: string
  authorName: string
  email: string
  bio: string
}
export interface Entry extends Fields {
  content: string
}

const noFields: Fields = { title: '', authorName: '', email: '', bio: '' }
const emptyEntry: Entry = { ...noFields, content: '' }

const area = 'sessionStorage'
const prefix = 'competition-entry'

const typesOfFields = { title: 'string', authorName: 'string', email: 'string', bio: 'string' } as const
const fieldsSchema = storedRow<Fields>(typesOfFields)
const entrySchema = storedRow<Entry>({ ...typesOfFields, content: 'string' })

/** The entry of a visitor or guest, which is kept until the tab is closed. Older programs kept that of a person here, too. */
export const entryOfTab = (owner: string, competitionId: string) =>
  storedJson({
    area,
    key: personKey(prefix, owner, competitionId),
    schema: entrySchema,
    fallback: emptyEntry,
  })

/** The fields beside the text of a signed-in person, whose text is a draft. */
export const entryFields = (owner: string, earlier: Entry = emptyEntry) => {
  const { content: _, ...fields } = earlier
  return formChoices(prefix, fieldsSchema, fields)(owner)
}

/** The entry of a person is the same in each month: a text that missed a deadline is found again. */
export const entryPlace = 'competition'

export const isEmpty = (entry: Partial<Entry>): boolean => Object.values(entry).every(isBlank)

export const isSameEntry = (one: Entry, other: Entry): boolean =>
  Object.keys(emptyEntry).every((field) => one[field as keyof Entry] === other[field as keyof Entry])

/** Whether this browser keeps an entry of the person beside the drafts. There is no other copy of it. */
export const hasEntryDraft = (owner: string): boolean =>
  !isEmpty(entryFields(owner).read()) || keysOfPerson(area, owner).some((key) => key.startsWith(`${prefix}:`))
