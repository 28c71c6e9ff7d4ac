import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { pageFiles } from '#server/page.ts'
import type { PageData } from '#contract/app/page-data.ts'

/** A small built page, with these files among its assets; `atEnd` takes the function that removes it. */
export function makePageFolder(
  assets: Record<string, string> = {},
  atEnd: (remove: () => void) => void = onTestFinished,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-page-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><!--page-head--><!--/page-head--></head><body><div id="root"></div><!--embedded-data--></body></html>',
  )
  writeFileSync(
    join(folder, 'render.js'),
    'export const render = async (address, data) => `<main>rendered ${address} ${Object.keys(data.answers)}</main>`',
  )
  for (const name of [...pageFiles, 'manifest.webmanifest']) writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries(assets)) writeFileSync(join(folder, 'assets', name), text)
  return folder
}

/** The data embedded in the HTML of a page. */
export const dataIn = (html: string): PageData =>
  JSON.parse(/id="embedded-data">(.*?)<\/script>/s.exec(html)![1]!) as PageData
