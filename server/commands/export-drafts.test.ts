import { expect, test } from 'vitest'
import type { ArchiveCalls } from '#contract/archive/calls.ts'
import { draftFiles } from '#contract/archive/posts.ts'
import { createDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('an export has each draft once, also one that is saved while the list is read [OWN-06]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person()
  const drafts = []
  // A page of the list has at most a megabyte, so the first draft is alone on the second page.
  for (let n = 0; n < 4; n++)
    drafts.push(await ana.does(createDraft, { input: { content: `${n} ${'🌒'.repeat(99_000)}` } }))
  const [first] = drafts
  let saves = 0
  const calls: ArchiveCalls = {
    async read(endpoint, sent) {
      const isSecondPage = (endpoint as object) === listDrafts && sent.query?.before !== undefined
      if (isSecondPage && saves++ === 0)
        await ana.does(saveDraft, {
          params: { id: first!.id },
          input: { content: 'Changed', base: first!.updatedAt },
        })
      const { body, headers } = await ana.tries(endpoint, sent as object)
      return { output: body as never, nextBefore: headers['next-before'] as string | undefined }
    },
    readFile: () => Promise.reject(new Error('No file is asked for.')),
  }
  const paths = (await Array.fromAsync(draftFiles(calls))).map(({ path }) => path)
  expect(saves).toBeGreaterThan(0)
  expect(paths.toSorted()).toEqual(drafts.map(({ id }) => `drafts/${id}.md`).toSorted())
})
