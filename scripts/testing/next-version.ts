import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * Makes an installation with the next version of the page: each of its scripts has another name, and those in `changes` have
 * other code. As after a real build, the scripts of the version before stay. Building it would take half a minute.
 */
export async function makeNextVersion(changes: Record<string, (code: string) => string>) {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-next-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    for (const name of ['contract', 'server', 'migrations', 'dist', 'package.json'])
      await cp(join(root, name), join(folder, name), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await changePage(join(folder, 'dist/web'), changes)
    return { command: ['node', join(folder, 'server/main.ts')] as [string, string], remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function changePage(folder: string, changes: Record<string, (code: string) => string>) {
  const list = JSON.parse(await readFile(join(folder, '.assets.json'), 'utf8')) as { current: string[] }
  const scripts = list.current.filter((file) => /^assets\/.*\.js$/.test(file)).map((file) => file.slice(7))
  const known = new Set(scripts)
  const nextName = (name: string) =>
    name.replace(/.(\.js)$/, (end) => (end.startsWith('_') ? '-.js' : '_.js'))
  const withNextNames = (code: string) =>
    code.replaceAll(/[\w-]+-[\w-]{8}\.js\b/g, (name) => (known.has(name) ? nextName(name) : name))
  const missing = new Set(Object.keys(changes))
  for (const name of scripts) {
    const code = withNextNames(await readFile(join(folder, 'assets', name), 'utf8'))
    const part = name.replace(/-[\w-]{8}\.js$/, '')
    const changed = changes[part]?.(code) ?? code
    if (changed !== code) missing.delete(part)
    await writeFile(join(folder, 'assets', nextName(name)), changed)
  }
  if (missing.size > 0) throw new Error(`Nothing was changed in ${[...missing].join(' and ')}.`)
  // The compressed forms are those of the version before.
  for (const name of (await readdir(folder)).filter((each) => /\.(br|gz)$/.test(each)))
    await rm(join(folder, name))
  const worker = (await readFile(join(folder, 'sw.js'), 'utf8')).replace(/version:`/, 'version:`next')
  await writeFile(join(folder, 'sw.js'), withNextNames(worker))
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  await writeFile(join(folder, 'index.html'), withNextNames(page))
}
