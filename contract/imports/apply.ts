import type { ImportFormat } from './entry.ts'
import { skippedItem } from './item.ts'
import type { PlannedItem } from './plan.ts'
import { type DayWrite, planDay, type StoredDay } from './plan-day.ts'
import { becomesDocument, type DocumentWrite, type DraftWrite } from './plan-text.ts'

/** Why a text was not saved, as a sentence of the server. */
interface Refused {
  refused: string
}

/** Where an import saves: the calls of a page, or the queries of a command. */
export interface ImportTarget {
  /** When the day has changed since `base`, nothing is saved. The answer has the current text. */
  saveDay: (write: DayWrite) => Promise<'saved' | { current: StoredDay } | Refused>
  saveDraft: (write: DraftWrite) => Promise<SaveResult>
  saveDocument: (write: DocumentWrite) => Promise<SaveResult>
}

/** `id in use`: the person uses the id for another text. */
export type SaveResult = 'saved' | 'id in use' | 'full' | Refused

/** Saves what an item writes. Returns what became of the item. */
export async function applyItem(
  item: PlannedItem,
  format: ImportFormat,
  target: ImportTarget,
): Promise<PlannedItem> {
  const { write } = item
  if (write === undefined) return item
  if (write.kind === 'day') return applyDay({ ...item, write }, format, target)
  if (write.kind === 'document') return applyDocument({ ...item, write }, target)
  return applyDraft({ ...item, write }, target)
}

type ItemThatWrites<Write> = PlannedItem & { write: Write }

const attempts = 5

async function applyDay(
  item: ItemThatWrites<DayWrite>,
  format: ImportFormat,
  target: ImportTarget,
): Promise<PlannedItem> {
  const { entries } = item.write
  let planned: PlannedItem & { write: DayWrite | undefined } = item
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (planned.write === undefined) return planned
    const answer = await target.saveDay(planned.write)
    if (answer === 'saved') return planned
    if ('refused' in answer) return failed(planned, planned.write.places, answer.refused)
    planned = planDay(entries, answer.current, { format, bytesLeft: Infinity, fullReason: '' })
  }
  if (planned.write === undefined) return planned
  return failed(planned, planned.write.places, 'This day was changed again and again meanwhile.')
}

/**
 * The item when its text was not saved: its entries become skipped ones, for this reason. Problems that tell how the text would
 * have been saved (conflicts and notes) are left out.
 */
function failed({ counts, problems }: PlannedItem, places: readonly string[], reason: string): PlannedItem {
  const skipped = skippedItem(places, reason)
  return {
    ...skipped,
    counts: { ...counts, new: 0, conflict: 0, skipped: counts.skipped + places.length },
    problems: [...problems.filter(({ kind }) => kind === 'skipped'), ...skipped.problems],
  }
}

async function applyDraft(item: ItemThatWrites<DraftWrite>, target: ImportTarget): Promise<PlannedItem> {
  const { write } = item
  const answer = await target.saveDraft(write)
  if (answer === 'saved') return item
  if (answer === 'id in use') return applyDraft({ ...item, write: { ...write, id: undefined } }, target)
  if (answer !== 'full') return failed(item, [write.place], answer.refused)
  const note = { kind: 'note', place: write.place, reason: becomesDocument } as const
  return applyDocument({ ...item, problems: [...item.problems, note], write: write.asDocument }, target)
}

async function applyDocument(
  item: ItemThatWrites<DocumentWrite>,
  target: ImportTarget,
): Promise<PlannedItem> {
  const { write } = item
  const answer = await target.saveDocument(write)
  if (answer === 'saved') return item
  if (answer === 'id in use') return applyDocument({ ...item, write: { ...write, id: undefined } }, target)
  return failed(item, [write.place], answer === 'full' ? documentsFull : answer.refused)
}

const documentsFull = 'There is no room for more documents.'
