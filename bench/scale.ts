import { readFileSync, writeFileSync } from 'node:fs'
import { drawTables } from './scale/tables.ts'

// Draws the tables of docs/scale.md again, from `bench/scale/costs.json` and the assumptions of `bench/scale/model.ts`.
const page = 'docs/scale.md'
writeFileSync(
  page,
  drawTables(readFileSync(page, 'utf8'), JSON.parse(readFileSync('bench/scale/costs.json', 'utf8'))),
)
