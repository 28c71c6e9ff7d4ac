import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { planImport } from '#contract/imports/plan.ts'
import { readImport } from '#contract/imports/read-import.ts'

// Imports the files that the arguments name into an empty account, and writes what came of it with the peak of memory of this process.

const files = await Promise.all(
  process.argv.slice(2).map(async (path) => ({ name: basename(path), blob: await openAsBlob(path) })),
)
const nothing = { ids: new Set<string>(), texts: new Set<string>() }
const stored = { diary: new Map(), calendar: new Map(), drafts: nothing, documents: nothing }
const start = performance.now()
const outcome = await readImport(files).then(
  (file) => {
    planImport(file, stored)
    const { entries, notUnderstood, skipped } = file
    return {
      counts: [entries.length, notUnderstood.length, skipped.length],
      reasons: [...new Set(notUnderstood.map(({ reason }) => reason))].slice(0, 5),
    }
  },
  (error: Error) => ({ refused: error.name === 'ImportRefused' ? error.message : String(error.stack) }),
)
const ms = Math.round(performance.now() - start)
console.log(JSON.stringify({ ...outcome, ms, peakMB: Math.round(process.resourceUsage().maxRSS / 1000) }))
