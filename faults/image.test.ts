import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  administrator,
  makeDataFolder,
  removeDataFolder,
  startServer,
} from '../scripts/testing/running-server.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

test('the steps of the Dockerfile, with the files of its context alone, make a server that renders pages and draws pictures', async () => {
  const place = await mkdtemp(join(tmpdir(), 'zimmer-image-'))
  onTestFinished(() => rm(place, { recursive: true }))
  const [build, last] = await stagesOf('deploy/Dockerfile')
  const context = join(place, 'context')
  await cp(root, context, { recursive: true, filter: await contextOf('deploy/Dockerfile.dockerignore') })
  const built = join(place, 'build')
  await mkdir(built)
  for (const [name, words] of build!) {
    if (name === 'COPY') await copy(words.split(' '), context, built)
    if (name === 'RUN') await runStep(words, built)
  }

  const image = join(place, 'image')
  await mkdir(image)
  for (const [, words] of last!.filter(([name]) => name === 'COPY')) {
    const [from, source, target] = words.split(' ') as [string, string, string]
    expect([from, source]).toEqual(['--from=build', expect.stringMatching(/^\/app\//)])
    await mkdir(dirname(join(image, target)), { recursive: true })
    await rename(
      join(built, relative('/app', source)),
      join(image, target === './' ? basename(source) : target),
    )
  }
  await rm(built, { recursive: true })
  await rm(context, { recursive: true })

  const wordsOf = (instruction: string) => last!.findLast(([name]) => name === instruction)![1]
  const environment = Object.fromEntries(
    wordsOf('ENV')
      .split(' ')
      .map((setting) => setting.split('=')),
  )
  const [program, ...args] = JSON.parse(wordsOf('CMD')) as [string, ...string[]]
  const dataDir = await makeDataFolder()
  onTestFinished(() => removeDataFolder(dataDir))
  const server = await startServer({
    dataDir,
    settings: { ...environment, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir },
    command: [program, ...args.map((arg) => (arg.startsWith('--') ? arg : join(image, arg)))],
  })
  onTestFinished(async () => void (await server.end('SIGKILL')))

  const admin = new HttpClient(() => server.url)
  await admin.does(login, { input: administrator })
  const input = { content: 'The last ferry\n\nIt left at ten.', authorName: 'Ana' }
  const post = await admin.does(createPost, { input })
  const page = await (await fetch(`${server.url}/posts/${post.id}`)).text()
  expect(page).toContain('data-rendered="true"')
  expect(page).toContain('It left at ten.')
  const picture = await fetch(`${server.url}/preview/posts/${post.id}.png`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  const [check, ...rest] = JSON.parse(/CMD (.*)$/.exec(wordsOf('HEALTHCHECK'))![1]!) as [string, ...string[]]
  await run(check, rest, { env: { PATH: path, PORT: new URL(server.url).port } })
}, 1_200_000)

type Instruction = [name: string, words: string]

/** The instructions of each stage. */
async function stagesOf(file: string): Promise<Instruction[][]> {
  const text = await readFile(join(root, file), 'utf8')
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name, words] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    else if (name !== undefined) stages.at(-1)!.push([name, words!])
  }
  return stages
}

/** Whether Docker sends a file or folder to the build: the last pattern that matches it, or a folder of it, decides. */
async function contextOf(file: string): Promise<(path: string) => boolean> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n')
  const patterns = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isIn: line.startsWith('!'), glob: line.replace('!', '') }))
  const isIn = (path: string) => {
    const parts = path.split('/')
    const paths = parts.map((_, i) => parts.slice(0, i + 1).join('/'))
    return patterns.findLast(({ glob }) => paths.some((each) => expressionOf(glob).test(each)))?.isIn ?? true
  }
  return (path) => {
    const name = relative(root, path)
    const holdsSome = patterns.some((pattern) => pattern.isIn && pattern.glob.startsWith(`${name}/`))
    return name === '' || isIn(name) || holdsSome
  }
}

/** A pattern of Docker: `*` stays within a name, `**` does not. */
const expressionOf = (glob: string) =>
  new RegExp(
    `^${glob
      .split('**/')
      .map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'))
      .join('(.*/)?')}$`,
  )

async function copy(words: string[], from: string, to: string) {
  const target = join(to, words.at(-1)!)
  for (const source of words.slice(0, -1))
    await cp(join(from, source), source === '.' ? target : join(target, basename(source)), {
      recursive: true,
    })
}

/** The Node of this test, which is that of the base of the image. */
const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`

/** Runs a step as the Dockerfile says. Only two of its commands are replaced, because they ask the registry of packages. */
async function runStep(step: string, folder: string) {
  for (const command of step.split(' && ')) {
    if (command === 'npm ci') await copyPackages(folder)
    else if (command === 'npm prune --omit=dev') await removeDevelopmentPackages(folder)
    else await inShell(command, folder)
  }
}

const inShell = (command: string, cwd: string) =>
  run('sh', ['-c', command], { cwd, env: { PATH: path, HOME: cwd, CI: 'true' } })

/** The packages of this clone have the same lock file. They are hard links where the disk allows it: no step changes one. */
async function copyPackages(folder: string) {
  const packages = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await run('cp', ['-al', ...packages]).catch(() => run('cp', ['-a', ...packages]))
  await inShell('npm run postinstall', folder)
}

async function removeDevelopmentPackages(folder: string) {
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, { dev?: boolean }> }
  for (const [name, { dev = false }] of Object.entries(packages))
    if (dev) await rm(join(folder, name), { recursive: true, force: true })
}
