import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, strFromU8 } from 'fflate'
import { onTestFinished } from 'vitest'
import { savedStory } from '#contract/rooms/saved-story.ts'
import { contributorsOf } from '#contract/rooms/story.ts'

/** Each passage is the id of its author, null for a deleted account, and a text. */
export const aStory = (
  passages: [userId: string | null, content: string][],
  { name = 'The long night', description = 'A story that nobody knows the end of' } = {},
) => {
  const written = passages.map(([userId, content]) => ({
    userId,
    content,
    authorName: null,
    isErased: false,
  }))
  const room = {
    id: '01976000-0000-7000-8000-000000000001',
    name,
    description,
    opening: null,
    expiresAt: '2025-06-10T22:30:00.000Z',
  }
  return savedStory(room, { passages: written, contributors: contributorsOf(written) }, 'Europe/Berlin', null)
}

/** The files of a book in their order, by path. */
export const filesOf = (epub: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(epub)).map(([path, bytes]) => [path, strFromU8(bytes)]))

/** The texts of the passages of a book, as a program for books shows them. */
export const passagesOfBook = (epub: Uint8Array): string[] =>
  Array.from(
    filesOf(epub)['EPUB/story.xhtml']!.matchAll(
      /<section class="passage">\n(?:<p class="credit" [^>]*>[^<]*<\/p>\n)?(.*?)\n<\/section>/gs,
    ),
    ([, paragraphs = '']) =>
      paragraphs
        .slice('<p dir="auto">'.length, -'</p>'.length)
        .replaceAll('</p>\n<p dir="auto">', '\n\n')
        .replaceAll('<br/>', '\n')
        .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))),
  )

/** The texts of the passages of a Markdown or plain text file with this rule between them. */
export const passagesOfText = (text: string, rule: string): string[] =>
  text
    .split(`\n\n${rule}\n\n`)
    .slice(1, -1)
    .map((part) => part.slice(part.indexOf('\n\n') + 2))

/** The processes that make stories, started from now on. */
export function watchStoryProcesses(): ChildProcess[] {
  const started: ChildProcess[] = []
  const onStart = (message: unknown) => void started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', onStart)
  onTestFinished(() => void unsubscribe('child_process', onStart))
  return started
}

const poemsFile = join(import.meta.dirname, '../../../../../shared/data/leaves-of-grass.jsonl')
export const hasPoems = existsSync(poemsFile)

/** The stanzas of the longest poem of a collection. */
export const readStanzas = (): string[] =>
  readFileSync(poemsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { content: string }).content)
    .reduce((longest, content) => (content.length > longest.length ? content : longest))
    .split('\n\n')
