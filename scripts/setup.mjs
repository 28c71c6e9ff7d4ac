// Installs the programs that the tests need (`npm run setup`): a browser, Postgres, Redis, nginx and others.
import { start } from './testing/start.mjs'

await start('setup.ts')
