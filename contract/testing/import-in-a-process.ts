import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { readImport } from '#contract/imports/read-import.ts'

// Imports the files that the arguments name, and writes what came of it with the peak of memory of this process.

const files = await Promise.all(
  process.argv.slice(2).map(async (path) => ({ name: basename(path), blob: await openAsBlob(path) })),
)
const start = performance.now()
const outcome = await readImport(files).then(
  ({ entries, notUnderstood, skipped }) => ({
    counts: [entries.length, notUnderstood.length, skipped.length],
    reasons: [...new Set(notUnderstood.map(({ reason }) => reason))].slice(0, 5),
  }),
  (error: Error) => ({ refused: error.name === 'ImportRefused' ? error.message : String(error.stack) }),
)
const ms = Math.round(performance.now() - start)
console.log(JSON.stringify({ ...outcome, ms, peakMB: Math.round(process.resourceUsage().maxRSS / 1000) }))
