import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { Client } from './test-app.ts'

export const day = '2025-06-10'
export const save = (client: Client, content: string, more: object = {}) =>
  client.tries(saveDiaryEntry, { input: { date: day, content, ...more } })
