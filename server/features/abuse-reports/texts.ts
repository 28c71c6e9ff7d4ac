import type { Vault } from '#server/features/day-texts/index.ts'

/** The encryption authenticates the texts of a report with the report alone: a report outlives the accounts that it names. */
export const copyId = (reportId: string) => ({ kind: 'report-copy', userId: '', key: reportId })
export const reasonId = (reportId: string) => ({ kind: 'report-reason', userId: '', key: reportId })

export interface StoredTexts {
  id: string
  content: Buffer | null
  reason: Buffer | null
  keyId: string | null
}

/** A text that is missing or damaged is null. */
export const decryptTexts = (vault: Vault, { id, content, reason, keyId }: StoredTexts) => ({
  content: content && (vault.decryptOrLog({ content, keyId }, copyId(id)) ?? null),
  reason: reason && (vault.decryptOrLog({ content: reason, keyId }, reasonId(id)) ?? null),
})
