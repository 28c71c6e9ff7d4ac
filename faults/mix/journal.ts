/**
 * What a writer knows of a change: 'yes' after it was acknowledged, 'perhaps' while no answer came, 'no' when it was never
 * tried or its first try was refused.
 */
export type Certainty = 'no' | 'perhaps' | 'yes'

export const kinds = ['person', 'post', 'room', 'membership', 'passage', 'message', 'friendship'] as const
export type Kind = (typeof kinds)[number]

/** A row that the writers have tried to add. */
export interface TrackedRow {
  kind: Kind
  /** Names the row in the database, and no other row: its content, its name, an email address or a pair of ids. */
  text: string
  /** The id of the answer. */
  id?: string
  added: Certainty
  deleted: Certainty
  /** Of a post. */
  approved: Certainty
  /** The rows whose deletion deletes this row too. */
  within: TrackedRow[]
}

/** The texts that a writer has tried to save for one day, in their order. */
export interface DayText {
  table: 'diary_entries' | 'calendar_notes'
  writer: TrackedRow
  day: string
  versions: { text: string; added: Certainty }[]
}

/** A person has read the messages of the friend up to this one, and the server has acknowledged it. */
export interface Reading {
  readerId: string
  message: TrackedRow
}

/** A file that an admin has tried to upload. */
export interface Upload {
  kind: 'issue' | 'cover'
  /** Of an issue, whose bytes are stored as they were sent. */
  content?: string
  /** The address in the answer. */
  url?: string
  added: Certainty
}

/** All that the writers know of their changes. The content of the database must agree with it. */
export class Journal {
  readonly tracked: TrackedRow[] = []
  readonly days: DayText[] = []
  readonly readings: Reading[] = []
  /** In the order in which they were begun. */
  readonly uploads: Upload[] = []
  acknowledged = 0

  add(kind: Kind, text: string, within: TrackedRow[] = []): TrackedRow {
    const row: TrackedRow = { kind, text, added: 'perhaps', deleted: 'no', approved: 'no', within }
    this.tracked.push(row)
    return row
  }
}

/** The certainty that a row was deleted, by itself or with another row that contains it. */
export function deletionOf(row: TrackedRow): Certainty {
  const all = [row.deleted, ...row.within.map(deletionOf)]
  if (all.includes('yes')) return 'yes'
  return all.includes('perhaps') ? 'perhaps' : 'no'
}
