import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/features/**/schema.ts', './server/platform/schema.ts'],
  out: './migrations',
  casing: 'snake_case',
})
