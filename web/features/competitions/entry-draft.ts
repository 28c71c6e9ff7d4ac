import * as z from 'zod/mini'
import { isBlank } from '#contract/text.ts'

const Draft = z.object({
  title: z.string(),
  content: z.string(),
  authorName: z.string(),
  email: z.string(),
  bio: z.string(),
})
export type Draft = z.infer<typeof Draft>

const emptyDraft: Draft = { title: '', content: '', authorName: '', email: '', bio: '' }

/** What was typed into an entry; it survives closing, other pages and reloads, and ends with the tab or signing out. */
export function readDraft(key: string): Draft {
  try {
    return Draft.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
  } catch {
    return emptyDraft
  }
}

export function keepDraft(key: string, draft: Draft) {
  try {
    if (Object.values(draft).every(isBlank)) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Without storage the text lives as long as its dialog.
  }
}
