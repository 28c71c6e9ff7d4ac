import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import page, { keepLastBuild, precompress } from '../vite.config.ts'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'zimmer-builds-')))
  put('index.html', '<script type="module" src="/main.js"></script>')
  put('web/public/terms.txt', 'User-agent: *\n'.repeat(100))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Builds a page with this text as the page of the project is built, and returns the names of its assets. */
async function buildPage(text: string) {
  put('main.js', `document.title = ${JSON.stringify(text.repeat(100))}`)
  const { publicDir = '', build: { outDir = '', emptyOutDir = true } = {} } = page
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    publicDir,
    plugins: [precompress(/\.(js|txt)$/), keepLastBuild()],
    build: { outDir, emptyOutDir, modulePreload: { polyfill: false } },
  })
  const [asset] = /assets\/[\w.-]+\.js/.exec(readFileSync(join(root, 'dist/web/index.html'), 'utf8'))!
  return [asset.slice(7), `${asset.slice(7)}.br`, `${asset.slice(7)}.gz`]
}

const assets = () => readdirSync(join(root, 'dist/web/assets')).toSorted()

test('a page that was opened before an update gets its assets until the next update [S55]', async () => {
  const first = await buildPage('one')
  expect(assets()).toEqual(first.toSorted())
  const second = await buildPage('two')
  expect(assets()).toEqual([...first, ...second].toSorted())
  // Building the same page again is no update.
  expect(await buildPage('two')).toEqual(second)
  expect(assets()).toEqual([...first, ...second].toSorted())
  const third = await buildPage('three')
  expect(assets()).toEqual([...second, ...third].toSorted())
  // Builds the previous version again.
  expect(await buildPage('two')).toEqual(second)
  expect(assets()).toEqual([...second, ...third].toSorted())
})

test('the assets of a build without a list of assets are kept, and its other files are not [S50 S55]', async () => {
  const first = await buildPage('one')
  rmSync(join(root, 'dist/web/.assets.json'), { force: true })
  put('dist/web/old.txt', 'no longer a part of the page')
  put('dist/web/terms.txt.br', 'of another text')
  put('web/public/terms.txt', '')
  const second = await buildPage('two')
  expect(assets()).toEqual([...first, ...second].toSorted())
  expect(readdirSync(join(root, 'dist/web')).toSorted()).toEqual([
    '.assets.json',
    'assets',
    'index.html',
    'terms.txt',
  ])
})
