import { relative } from 'node:path'
import { TestRunner } from 'vitest'

/** Tests that `npm run test:two-processes` leaves out: each tests what belongs to one process, for the reason beside it. */
export const belongsToOneProcess: { file: string; title: RegExp; reason: string }[] = [
  {
    file: 'server/live.test.ts',
    title: /^without rate limits a person may have any number|^open streams do not count as requests/,
    reason: 'The metrics of a process have its own streams.',
  },
  {
    file: 'server/features/syndication/feeds.test.ts',
    title: /^a reader who has the feed gets 304/,
    reason: 'Each process knows when it has first read a feed.',
  },
  {
    file: 'server/platform/uploads/s3-store.test.ts',
    title: /^readers of files that a frozen service never sends/,
    reason: 'Each process has its own bound for calls to the service.',
  },
  {
    file: 'server/live.test.ts',
    title: /^a closing server/,
    reason: 'One process closes, and the streams of the other stay open.',
  },
  {
    file: 'server/features/syndication/feeds.test.ts',
    title: /^an address that has read 60 older pages/,
    reason: 'The test stops the clock of the process; Redis counts by its own.',
  },
  {
    file: 'server/whole/deploy.test.ts',
    title: /^every query of the dashboard/,
    reason: 'The metrics of a process have its own requests.',
  },
  {
    file: 'server/platform/http/request/origin.test.ts',
    title: /^a proxy that TRUST_PROXY does not name/,
    reason: 'Each process logs the proxy once.',
  },
  {
    file: 'server/whole/every-route.test.ts',
    title: /event loop lags/,
    reason: 'Each process measures its own event loop.',
  },
  {
    file: 'server/whole/every-route.test.ts',
    title: /^an address that has used up its requests/,
    reason: 'The test stops the clock of the process; Redis counts by its own.',
  },
  {
    file: 'server/installation-metrics.test.ts',
    title: /^an operator sees how many requests an overloaded process refused/,
    reason: 'The metrics of a process have its own requests.',
  },
  {
    file: 'server/whole/refusals.test.ts',
    title: /^what was counted is written|^sign-ins of one address|^reports of one address/,
    reason: 'Each process adds up what it refuses in a minute.',
  },
  {
    file: 'server/features/rooms/shelf.test.ts',
    title: /^the page for visitors is read at most once/,
    reason: 'The test changes a row without a call, and each process keeps its own pages for 5 s.',
  },
  {
    file: 'server/whole/early-pages.test.ts',
    title: /^every public page and the feed/,
    reason: 'With Redis, which counts the limits, no answer is early.',
  },
  {
    file: 'server/public-pages.test.ts',
    title: /^an article, a person and a story that another program deletes/,
    reason: 'The test changes rows without a call, and each process keeps its own pages for 5 s.',
  },
  {
    file: 'server/public-pages.test.ts',
    title:
      /^a page that cannot be rendered|^a page whose HTML is too long|^a visitor who requests the pages of 30|^visitors who request too many (pages|days)/,
    reason: 'Each process keeps and renders its own pages.',
  },
  {
    file: 'server/features/rooms/shelf.test.ts',
    title: /^a person who requests 30 pages/,
    reason: 'Each process reads one long page at a time, which bounds its memory.',
  },
  {
    file: 'server/features/diary/long-diary.test.ts',
    title: /^a fifth list of one person at a time/,
    reason: 'Each process sends four long lists of one person at a time, which bounds its memory.',
  },
  {
    file: 'server/features/rooms/story/story-routes.test.ts',
    title: /^one story is made at a time/,
    reason: 'Each process makes one story at a time.',
  },
]

/** Skips the running test when it is one of them. */
export function skipWhatBelongsToOneProcess() {
  const test = TestRunner.getCurrentTest()
  if (test === undefined) return
  const file = relative(process.cwd(), test.file.filepath)
  const entry = belongsToOneProcess.find((each) => each.file === file && each.title.test(test.name))
  if (entry !== undefined) test.context.skip(entry.reason)
}
