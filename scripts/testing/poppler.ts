import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { succeeds } from './command.ts'

/** Finds pdftotext, which reads the exported diary back, or fetches it; without it those tests are skipped. */
export async function providePdftotext(): Promise<void> {
  if (!spawnSync('pdftotext', ['-v']).error || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return
  console.log('Installing poppler-utils …')
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  await succeeds('apt-get', ['update', '-qq'], environment)
  await succeeds('apt-get', ['install', '-yqq', '--no-install-recommends', 'poppler-utils'], environment)
}
