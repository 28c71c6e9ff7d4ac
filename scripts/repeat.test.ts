import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { root } from './testing/command.ts'
import { repeatFailedFiles } from './testing/repeat.ts'
import { failedIn, passedIn, runPlaywright, runVitest, skippedIn } from './testing/report.ts'
import type { Results } from './testing/report.ts'

// Most of these tests start a test runner twice.
vi.setConfig({ testTimeout: 120_000 })

/** The code after this one sees `isFirst` only when the file runs for the first time. */
const failsOnce = `
  import { existsSync, writeFileSync } from 'node:fs'
  const count = import.meta.dirname + '/count'
  const isFirst = !existsSync(count)
  writeFileSync(count, '')
`
const testNamed = (title: string, isGood: string) => `test('${title}', () => expect(${isGood}).toBe(true))\n`

/** A vitest project in a folder of its own. */
async function vitestProject(files: Record<string, string>) {
  const folder = await projectFolder(files, `import { afterAll, beforeAll, expect, test } from 'vitest'\n`)
  await writeFile(join(folder, 'vitest.config.ts'), 'export default {}')
  const run = (alone?: string) =>
    runVitest(['--root', folder], { environment: { VITEST: undefined }, alone, isSilent: true })
  const first = await run()
  return { folder, first, ...(await repeatFailedFiles(first, run)) }
}

async function projectFolder(files: Record<string, string>, header: string) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zimmer-repeat-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), header + text)
  return folder
}

const countsOf = (results: Results) => [passedIn(results), failedIn(results), skippedIn(results)]

test('a test that fails once passes when its file is repeated, and is named with its first message', async () => {
  const { folder, first, results, repeated } = await vitestProject({
    'rare.test.ts': `${failsOnce}${testNamed('rare', '!isFirst')}${testNamed('steady', 'true')}test.skip('left out')`,
    'good.test.ts': `${testNamed('good', 'true')}
      import { appendFileSync } from 'node:fs'
      appendFileSync(import.meta.dirname + '/runs', 'run')`,
  })
  expect(countsOf(first)).toEqual([2, 1, 1])
  expect(countsOf(results)).toEqual([3, 0, 1])
  expect(repeated).toMatchObject([
    { title: 'rare', message: expect.stringContaining('expected false') as string },
  ])
  // Files that passed do not run again.
  expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('run')
})

test('a test or a hook that fails again fails the run', async () => {
  const { results, repeated } = await vitestProject({
    'bad.test.ts': testNamed('bad', 'false'),
    'hook.test.ts': `${testNamed('good', 'true')}\nafterAll(() => expect(1).toBe(2))`,
  })
  expect(countsOf(results)).toEqual([1, 2, 0])
  expect(repeated).toEqual([])
})

test('a file whose hook or import fails once counts with all its tests when it is repeated', async () => {
  const { first, results, repeated } = await vitestProject({
    'hook.test.ts': `${failsOnce}
      beforeAll(() => expect(isFirst).toBe(false))
      ${testNamed('one', 'true')}`,
    'import.test.ts': `${failsOnce.replaceAll('count', 'imports')}
      if (isFirst) throw new Error('not loaded')
      ${testNamed('two', 'true')}`,
  })
  expect(failedIn(first)).toBe(2)
  expect(countsOf(results)).toEqual([2, 0, 0])
  expect(repeated).toHaveLength(2)
})

test('an error outside the tests fails the run, whatever a repetition of the failed test says', async () => {
  const { results, repeated } = await vitestProject({
    'rare.test.ts': `${failsOnce}${testNamed('rare', '!isFirst')}`,
    'error.test.ts': `test('good', () => void Promise.reject(new Error('nobody waits for this promise')))`,
  })
  expect(failedIn(results)).toBe(2)
  expect(results.errors).toEqual([expect.stringContaining('nobody waits for this promise')])
  expect(repeated).toEqual([])
})

test('a journey in a browser that fails once passes when its file is repeated', async () => {
  const folder = await projectFolder(
    {
      // Playwright loads the file in two processes. The test itself runs once.
      'rare.e2e.ts': `
        import { existsSync, writeFileSync } from 'node:fs'
        test('rare', () => {
          const isFirst = !existsSync(import.meta.dirname + '/count')
          writeFileSync(import.meta.dirname + '/count', '')
          expect(isFirst).toBe(false)
        })`,
      'good.e2e.ts': testNamed('good', 'true'),
    },
    `import { expect, test } from '@playwright/test'\n`,
  )
  const config = join(folder, 'playwright.config.ts')
  await writeFile(config, `export default { testDir: import.meta.dirname, testMatch: '*.e2e.ts' }`)
  const run = (alone?: string) => runPlaywright(['--config', config], { alone, isSilent: true })
  const first = await run()
  expect(countsOf(first)).toEqual([1, 1, 0])
  const { results, repeated } = await repeatFailedFiles(first, run)
  expect(countsOf(results)).toEqual([2, 0, 0])
  expect(repeated).toMatchObject([{ file: join(folder, 'rare.e2e.ts'), title: 'rare' }])
})

const failedFile = (name: string) => ({
  file: name,
  passed: 0,
  skipped: 0,
  failures: [{ title: 'a test', message: 'wrong' }],
})
const passedFile = (name: string) => ({ file: name, passed: 1, skipped: 0, failures: [] })

test('at most five failed files are repeated, because more are no rare race', async () => {
  const ran: string[] = []
  const runAlone = (file: string) => {
    ran.push(file)
    return Promise.resolve({ files: [passedFile(file)], errors: [] })
  }
  const six = { files: ['a', 'b', 'c', 'd', 'e', 'f'].map(failedFile), errors: [] }
  expect(await repeatFailedFiles(six, runAlone)).toEqual({ results: six, repeated: [] })
  expect(ran).toEqual([])
  const five = { files: six.files.slice(1), errors: [] }
  expect((await repeatFailedFiles(five, runAlone)).repeated).toHaveLength(5)
  expect(ran).toEqual(['b', 'c', 'd', 'e', 'f'])
})

test('a failed test that the repetition leaves out has not passed', async () => {
  const first = { files: [{ ...failedFile('a'), passed: 1 }], errors: [] }
  const runAlone = () => Promise.resolve({ files: [passedFile('a')], errors: [] })
  expect((await repeatFailedFiles(first, runAlone)).results).toEqual(first)
})
