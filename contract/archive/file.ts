/** A file of an archive. A long one is made while it is read, so that it is never whole in memory. */
export interface ArchiveFile {
  path: string
  content: string | Uint8Array | AsyncIterable<string>
}

/** A JSON file for people and programs alike. */
export const jsonFile = (path: string, value: unknown): ArchiveFile => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
})

/** A JSON list that is made row by row. */
export async function* jsonList(
  rows: AsyncIterable<unknown>,
  { before = '', after = '' }: { before?: string; after?: string } = {},
): AsyncGenerator<string> {
  let mark = `${before}[\n`
  for await (const row of rows) {
    yield `${mark}${JSON.stringify(row)}`
    mark = ',\n'
  }
  yield `${mark === ',\n' ? '\n' : mark}]${after}\n`
}
