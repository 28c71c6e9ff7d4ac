import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allNeeds, aptCommands, failoverNeeds } from './testing/needs.ts'
import { suites } from './testing/suites.ts'

let bin: string

/** The programs of a machine: `apt-get` notes its packages and installs them, `sudo` runs a command. */
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'zimmer-programs-'))
  symlinkSync(process.execPath, join(bin, 'node'))
  symlinkSync('/usr/bin/env', join(bin, 'env'))
  has('sudo', 'exec "$@"')
  has(
    'apt-get',
    `[ "$1" = install ] || exit 0
echo "$4 $5" >> ${bin}/installed
for program in faketime pdftotext; do echo '#!/bin/sh' > ${bin}/$program; /bin/chmod +x ${bin}/$program; done`,
  )
})
afterEach(() => rmSync(bin, { recursive: true }))

function has(name: string, lines: string) {
  writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** Provides two programs on this machine, as a test run does at its start. */
function provide(mayInstall: boolean) {
  const module = join(import.meta.dirname, 'testing/needs.ts')
  const call = `(await import('${module}')).provide(['faketime', 'pdftotext'], { mayInstall: ${mayInstall} })`
  const { stdout, stderr } = spawnSync(join(bin, 'node'), ['--input-type=module', '-e', `await ${call}`], {
    encoding: 'utf8',
    env: { PATH: bin },
  })
  return { stdout, stderr }
}

const sentence = 'Missing: faketime, pdftotext. To install, run: npm run setup\n'

test('a test run says which programs are missing, and installs their Debian packages', () => {
  expect(provide(true)).toEqual({
    stdout: 'Missing: faketime, pdftotext. Installing the Debian packages faketime, poppler-utils …\n',
    stderr: '',
  })
  expect(readFileSync(join(bin, 'installed'), 'utf8')).toBe('faketime poppler-utils\n')
  // The second run has what it needs.
  expect(provide(true)).toEqual({ stdout: '', stderr: '' })
})

test('a test run with --no-install, or on a system without apt, names the command and installs nothing', () => {
  expect(provide(false)).toEqual({ stdout: '', stderr: sentence })
  rmSync(join(bin, 'apt-get'))
  expect(provide(true)).toEqual({ stdout: '', stderr: sentence })
  expect(readdirSync(bin)).not.toContain('installed')
})

test('a test run whose installation fails names the command', () => {
  has('apt-get', 'exit 1')
  expect(provide(true).stderr).toBe(sentence)
})

test('on Debian the missing packages are installed without their services, with sudo for those who are not root', () => {
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get']
  const commands = [
    [...apt, 'update', '-qq'],
    [...apt, 'install', '-yqq', '--no-install-recommends', 'nginx-light', 'poppler-utils'],
  ]
  expect(aptCommands(['nginx', 'pdftotext'], { isRoot: true, hasApt: true })).toEqual(commands)
  expect(aptCommands(['nginx', 'pdftotext'], { isRoot: false, hasApt: true })).toEqual(
    commands.map((command) => ['sudo', ...command]),
  )
})

test('without apt, or with nothing missing, no command runs', () => {
  expect(aptCommands(['nginx'], { isRoot: true, hasApt: false })).toEqual([])
  expect(aptCommands([], { isRoot: true, hasApt: true })).toEqual([])
})

test('Patroni, etcd and HAProxy are installed for the drill of a failover alone, which no suite needs', () => {
  const [, install] = aptCommands(failoverNeeds, { isRoot: true, hasApt: true })
  expect(install).toEqual(expect.arrayContaining(['patroni', 'python3-etcd', 'etcd-server', 'haproxy']))
  for (const need of ['patroni', 'etcd', 'haproxy'] as const) {
    expect(allNeeds).not.toContain(need)
    expect(suites.filter(({ needs }) => needs.includes(need))).toEqual([])
  }
})
