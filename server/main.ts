import './quick-imports.js'

await import('./serve.ts')
