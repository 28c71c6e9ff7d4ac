import { parentPort } from 'node:worker_threads'
import type { ToStoryThread } from './story-file.ts'
import type { StoryPassage } from './story-queries.ts'
import { writeStory } from './write-story.ts'

const pages: StoryPassage[][] = []

parentPort!.on('message', (message: ToStoryThread) => {
  if (Array.isArray(message)) return void pages.push(message)
  const file = writeStory(message, pages.flat())
  parentPort!.postMessage(file, [file.buffer])
})
