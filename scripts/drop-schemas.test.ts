import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dropSchemas } from '../vite.config.ts'

test('the build of the page drops the sentences about endpoints, in whatever file of the contract they are', async () => {
  const folder = join(import.meta.dirname, '../contract')
  const { filter, handler } = dropSchemas().load as unknown as {
    filter: { id: RegExp }
    handler: (id: string) => Promise<string>
  }
  for await (const name of glob('*/*.ts', { cwd: folder })) {
    const file = join(folder, name)
    if (!(await readFile(file, 'utf8')).includes('= endpoint({')) continue
    expect([name, filter.id.test(file)]).toEqual([name, true])
    expect([name, await handler(file)]).toEqual([name, expect.not.stringMatching(/summary|description/)])
  }
})
