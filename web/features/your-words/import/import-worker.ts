import { ImportRun } from './import-run.ts'
import type { ToImportWorker } from './import-state.ts'

// Reads, compares and saves in a worker, so that the page stays responsive. The worker stores nothing on this device.

const run = new ImportRun((state) => postMessage(state))

addEventListener('message', ({ data }: MessageEvent<ToImportWorker>) => void run.take(data))
