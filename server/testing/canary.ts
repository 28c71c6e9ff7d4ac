import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#server/platform/database/pool.ts'
import { contentOf } from './content.ts'

/** Stands in every text that a test erases. */
export const canary = 'canary0f9a'

/** The tables and the files of the data folder that contain the canary. */
export async function placesOfCanary(db: Db, dataDir: string): Promise<string[]> {
  const tables = Object.entries(await contentOf(db)).flatMap(([name, rows]) =>
    rows.some((row) => hasCanary(row)) ? name : [],
  )
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const files: string[] = []
  for (const path of paths) if ((await readFile(path)).includes(canary)) files.push(path)
  return [...tables, ...files]
}

/** The bytes of a text are shown as hexadecimal digits. */
const hasCanary = (row: string) => row.includes(canary) || row.includes(Buffer.from(canary).toString('hex'))
