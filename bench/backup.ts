import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { environment, makeDataFolder, removeDataFolder } from '../scripts/testing/running-server.ts'
import { inMegabytes, withInstance } from './instance.ts'
import { withDatabase } from './rows.ts'
import { atMost, fact, printTable } from './table.ts'

/** Posts of 2,000 characters, half of which compress well. */
const posts = 200_000
const uploads = 40
const uploadBytes = 5 * 2 ** 20

const folder = await makeDataFolder()
const file = join(folder, 'backup.tar.zst')
try {
  const made = await withInstance(async ({ dataDir }) => {
    await fill(dataDir)
    return run(dataDir, ['backup', file])
  })
  const restored = await run(join(folder, 'restored'), ['restore', file])
  printTable('Backup and restore', [
    fact('posts, and bytes of uploads', `${posts} and ${inMegabytes(uploads * uploadBytes)}`),
    fact('the backup, compressed', inMegabytes((await stat(file)).size)),
    fact('backup beside a serving instance', `${made.seconds.toFixed(1)} s`),
    atMost('backup: memory of the command', made.bytes / 2 ** 20, 350, 'MB', 0),
    fact('restore, with its two readings of the file', `${restored.seconds.toFixed(1)} s`),
    atMost('restore: memory of the command', restored.bytes / 2 ** 20, 350, 'MB', 0),
  ])
} finally {
  await removeDataFolder(join(folder, 'restored'))
  await removeDataFolder(folder)
}

async function fill(dataDir: string) {
  await withDatabase(dataDir, (db) =>
    db.execute(sql`
      insert into posts (id, content, author_name, post_type, created_at, content_digest)
      select gen_random_uuid(), repeat(md5(n::text) || ' ' || md5(random()::text), 30), 'Ana Lima', 'standard', app_now(), ''
      from generate_series(1, ${posts}::int) n`),
  )
  await mkdir(join(dataDir, 'uploads'))
  for (let number = 0; number < uploads; number++)
    await writeFile(join(dataDir, 'uploads', String(number)), randomBytes(uploadBytes))
}

/** Runs a command of the operator. Returns its time and the highest memory of its process. */
async function run(dataDir: string, words: string[]) {
  const from = performance.now()
  const child = spawn('node', ['server/zimmer.ts', ...words], {
    env: environment(dataDir),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let bytes = 0
  const timer = setInterval(() => {
    const [, kilobytes = 0] = /^VmHWM:\s+(\d+) kB/m.exec(statusOf(child.pid!)) ?? []
    bytes = Math.max(bytes, Number(kilobytes) * 1024)
  }, 20)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(timer)
  if (code !== 0) throw new Error(`zimmer ${words[0]} ended with code ${code}.`)
  return { seconds: (performance.now() - from) / 1000, bytes }
}

function statusOf(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // The process has ended.
  }
}
