import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dropSchemas } from '../vite.config.ts'

const folder = join(import.meta.dirname, '../contract')
const { filter, handler } = dropSchemas().load as unknown as {
  filter: { id: RegExp }
  handler: (id: string) => Promise<string>
}

test('the build of the page finds an endpoint in each file that it reads for endpoints, and in no other', async () => {
  const wrong = []
  for await (const name of glob('**/*.ts', { cwd: folder })) {
    const hasEndpoint = /\bendpoint\(\{/.test(await readFile(join(folder, name), 'utf8'))
    if (hasEndpoint !== filter.id.test(join(folder, name))) wrong.push(name)
  }
  expect(wrong).toEqual([])
})

test('the page receives endpoints without their schemas and sentences, and therefore without zod', async () => {
  for await (const name of glob('**/endpoints.ts', { cwd: folder })) {
    const code = await handler(join(folder, name))
    expect([name, code]).toEqual([name, expect.stringContaining('"path":"/api/')])
    expect([name, code]).toEqual([name, expect.not.stringMatching(/import|zod|summary|description|output/)])
  }
})
