import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DomainEvents } from './domain-events.ts'
import type { Db } from './platform/database/pool.ts'

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const files = globSync('**/*.ts', { cwd: import.meta.dirname })
const code = files.filter((file) => !/\.test\.ts$|^testing\//.test(file)).map(textOf)
const namesIn = (text: string, pattern: RegExp) =>
  new Set(Array.from(text.matchAll(pattern), ([, name]) => name!))

test('every domain event is emitted, and something listens to it', () => {
  const named = namesIn(textOf('domain-events.ts'), /^ {2}(\w+): \[/gm)
  expect(named).toContain('friendAdded')
  expect(namesIn(code.join('\n'), /events\.emit(?:Within)?\(\s*'(\w+)'/g)).toEqual(named)
  expect(namesIn(code.join('\n'), /events\.on\(\s*'(\w+)'/g)).toEqual(named)
})

test('a change waits for its listeners one after the other, and the first that fails stops it', async () => {
  const events = new DomainEvents()
  const heard: string[] = []
  const listen = (name: string, work: () => Promise<void> = () => Promise.resolve()) =>
    events.on('friendAdded', async () => {
      await work()
      heard.push(name)
    })
  listen('first', () => setImmediate())
  listen('second')
  const emit = () => events.emitWithin('friendAdded', {} as Db, 'ana', 'ben')
  await emit()
  expect(heard).toEqual(['first', 'second'])
  listen('third', () => Promise.reject(new Error('no')))
  listen('fourth')
  await expect(emit()).rejects.toThrow('no')
  expect(heard).toEqual(['first', 'second', 'first', 'second'])
})
