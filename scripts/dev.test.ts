import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a person who develops is led to the page of Vite by the link that the server prints', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'zimmer-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    writeFileSync(join(clone, path), text)
  }
  put('server/main.ts', `console.log('links begin with ' + process.env.PUBLIC_ORIGIN)`)
  put('node_modules/vite/bin/vite.js', 'setInterval(() => {}, 1000)')
  mkdirSync(join(clone, 'scripts'))
  copyFileSync(join(import.meta.dirname, 'dev.mjs'), join(clone, 'scripts/dev.mjs'))
  const { PUBLIC_ORIGIN: _, ...env } = process.env
  const dev = spawn(process.execPath, [join(clone, 'scripts/dev.mjs')], { env })
  onTestFinished(async () => {
    dev.kill()
    await once(dev, 'close')
  })
  let said = ''
  dev.stdout.on('data', (text: Buffer) => (said += text.toString()))
  await expect.poll(() => said).toContain('links begin with http://localhost:5173')
})
