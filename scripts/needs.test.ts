import { expect, test } from 'vitest'
import { aptCommands, stepFor } from './testing/needs.ts'

test('a test run installs nothing by itself: it fails and names the missing programs and the command', () => {
  const sentence = 'Missing: chromium, postgres. To install, run: npm run setup'
  for (const CI of [undefined, '', 'false', '1'])
    expect(stepFor(['chromium', 'postgres'], { CI })).toEqual({ fail: sentence })
})

test('a test run on a CI machine installs the missing programs', () => {
  expect(stepFor(['redis-server'], { CI: 'true' })).toBe('install')
})

test('a test run with all programs installs nothing, on a CI machine as well', () => {
  expect(stepFor([], {})).toBe('run')
  expect(stepFor([], { CI: 'true' })).toBe('run')
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
