import './quick-imports.js'

await import('./commands/run.ts')
