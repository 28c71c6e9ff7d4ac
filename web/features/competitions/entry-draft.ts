import type { CompetitionEntry } from '#contract/competitions/competition.ts'

const emptyEntry = { title: '', content: '', authorName: '', email: '', bio: '' }

/** What was typed into an entry; it survives closing, other pages and reloads, and ends with the tab. */
export function readDraft(key: string): Required<CompetitionEntry> {
  try {
    return { ...emptyEntry, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') }
  } catch {
    return emptyEntry
  }
}

export function keepDraft(key: string, draft: CompetitionEntry) {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Without storage the text lives as long as its dialog.
  }
}
