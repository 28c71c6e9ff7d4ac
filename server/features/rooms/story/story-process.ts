// Runs in a process of its own, because V8 may abort the process of a long story (S58).
import { endWithParent } from '#server/platform/end-with-parent.ts'
import type { StoryPassage } from './story-queries.ts'
import { type StoryOrder, writeStory } from './write-story.ts'

endWithParent()
const values: unknown[] = []
let rest = ''
for await (const text of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
  const lines = (rest + text).split('\n')
  rest = lines.pop()!
  for (const line of lines) values.push(JSON.parse(line))
}
const [order, ...passages] = values as [StoryOrder, ...StoryPassage[]]
const file = writeStory(order, passages)
process.stdout.write(`${file.length}\n`)
process.stdout.write(file, () => process.exit())
