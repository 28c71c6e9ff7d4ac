import { DayIndex, type ToWorker } from './day-index.ts'

// Searches the days of one person in a worker, so that typing never waits. The worker stores nothing.

const index = new DayIndex()

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => postMessage(index.take(data)))
