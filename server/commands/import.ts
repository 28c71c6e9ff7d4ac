import { applyItem } from '#contract/imports/apply.ts'
import type { ImportedFile } from '#contract/imports/entry.ts'
import { type PlannedItem, planImport, totalsOf } from '#contract/imports/plan.ts'
import { importReport } from '#contract/imports/report.ts'
import type { Settings } from '#server/config.ts'
import { findAccountByEmail } from '#server/features/account/queries.ts'
import { findDiaryKeyId, Vault } from '#server/features/day-texts/index.ts'
import { createTextCipher } from '#server/features/day-texts/text-cipher.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { accountTarget, readStored } from './account-texts.ts'
import { connect, type Place } from './place.ts'
import { readInChildProcess } from './read-in-child-process.ts'

interface ImportOptions {
  email: string
  /** A file or a folder. */
  file: string
  /** False for the preview, which changes nothing. */
  applies: boolean
}

/** Previews the import of a file into an account, or imports it when `applies` is true. Returns the report. */
export async function importFile(
  config: Settings,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<string> {
  const file = await readInChildProcess(options.file, signal)
  return connect(config, (place) => importIntoAccount(place, file, options, signal), signal)
}

export async function importIntoAccount(
  { database, random, config }: Pick<Place, 'database' | 'random'> & { config: Pick<Settings, 'diaryKey'> },
  file: ImportedFile,
  { email, applies }: Pick<ImportOptions, 'email' | 'applies'>,
  signal: AbortSignal,
): Promise<string> {
  const account = await findAccountByEmail(database, email.trim().toLowerCase())
  if (account === undefined) throw new OperatorError(`Nobody is registered as ${email}.`)
  const cipher = createTextCipher(config.diaryKey, random)
  if ((await findDiaryKeyId(database)) !== cipher.keyId)
    throw new OperatorError(
      'DIARY_KEY is not the key that the texts are encrypted with. Nothing was changed.',
    )
  const owner = { vault: new Vault(cipher), userId: account.id }
  const { format, items } = planImport(file, await readStored(database, owner, file))
  if (!applies) return reportOf(format, items)
  const target = accountTarget(database, random, owner)
  const applied: PlannedItem[] = []
  for (const item of items) {
    signal.throwIfAborted()
    applied.push(await applyItem(item, format, target))
  }
  return reportOf(format, applied)
}

function reportOf(format: ImportedFile['format'], items: PlannedItem[]): string {
  const { counts, problems } = totalsOf({ format, items })
  return importReport(counts, problems)
}
