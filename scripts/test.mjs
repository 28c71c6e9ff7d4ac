// Runs all tests of the project (`npm test`), or some of the suites (`node scripts/test.mjs server e2e`).
import { start } from './testing/start.mjs'

await start('run.ts')
