import './quick-imports.ts'

await import('./commands/run.ts')
