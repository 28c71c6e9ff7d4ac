import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from './testing/running-server.ts'

const read = (path: string) => readFile(join(import.meta.dirname, '..', path), 'utf8')

test('npm, the image and systemd start the server with the same arguments, which the tests use as well', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: { start: string } }
  const [, ofImage] = /^CMD (\[.*\])$/m.exec(await read('deploy/Dockerfile'))!
  const [, ofUnit] = /^ExecStart=\S*\/(.*)$/m.exec(await read('deploy/systemd/zimmer@.service'))!
  expect(scripts.start).toBe(`exec ${startCommand.join(' ')}`)
  expect(JSON.parse(ofImage!)).toEqual(startCommand)
  expect(ofUnit).toBe(startCommand.join(' '))
})
