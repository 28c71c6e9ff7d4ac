import type { ImportedFile, ImportFormat } from './entry.ts'
import { isAppleEntry, readAppleJournal } from './reading/apple-journal.ts'
import { readDayOneClassic } from './reading/day-one-classic.ts'
import { Findings } from './reading/findings.ts'
import { readJsonFiles } from './reading/json-files.ts'
import { isTextFile, readMarkdown } from './reading/markdown.ts'
import { isMediumPost, readMedium } from './reading/medium.ts'
import { ImportRefused, NotUnderstood, unknownProgram } from './reading/refused.ts'
import { hasExtension, isHidden, openSource, type SourceFile } from './reading/source.ts'
import { isPostList, readSubstack } from './reading/substack.ts'
import { readWordPress } from './reading/wordpress.ts'
import { findManifest, readArchive } from './reading/zimmer.ts'

export { ImportRefused }

/**
 * Reads what a file of another program, or an archive of ours, holds: a ZIP, JSON, XML, Markdown or text file, or the files of
 * a chosen folder. Each text, each picture and each other file is counted once: among the entries, as not understood or as
 * skipped (`reading/findings.ts`). The page runs it in a worker, the command in a child process. So it uses only functions
 * that both have. Throws `ImportRefused` when the whole file is refused; then nothing of it was taken.
 */
export async function readImport(
  files: { name: string; blob: Blob }[],
  onProgress: (done: number, of: number) => void = () => {},
): Promise<ImportedFile> {
  try {
    const source = await openSource(files, onProgress)
    const findings = new Findings()
    const format = await readFormat(source, findings)
    for (const { path, isRead } of source)
      if (!isRead && !findings.isKnownAttachment(path)) findings.skip(path, reasonToSkip(path))
    onProgress(source.length, source.length)
    return findings.result(format)
  } catch (error) {
    // A file without which no other one can be read.
    if (error instanceof NotUnderstood) throw new ImportRefused(error.message)
    throw error
  }
}

/** Finds the program that wrote the files by their names and contents, and reads them. */
async function readFormat(source: readonly SourceFile[], findings: Findings): Promise<ImportFormat> {
  const files = source.filter(({ path }) => !isHidden(path))
  const withPath = (test: (path: string) => boolean) => files.filter(({ path }) => test(path))

  const manifest = await findManifest(files)
  if (manifest) {
    await readArchive(files, manifest, findings)
    return 'zimmer'
  }
  const ofJson = await readJsonFiles(files, findings)
  if (ofJson) return ofJson
  const classic = withPath((path) => hasExtension(path, 'doentry'))
  if (classic.length > 0) {
    await readDayOneClassic(classic, findings)
    return 'dayone'
  }
  const [postList] = withPath(isPostList)
  if (postList) {
    await readSubstack(files, postList, findings)
    return 'substack'
  }
  const appleEntries = withPath(isAppleEntry)
  if (appleEntries.length > 0) {
    await readAppleJournal(appleEntries, findings)
    return 'applejournal'
  }
  const mediumPosts = withPath(isMediumPost)
  if (mediumPosts.length > 0) {
    await readMedium(mediumPosts, findings)
    return 'medium'
  }
  const xmlFiles = withPath((path) => hasExtension(path, 'xml', 'wxr'))
  if (await readXmlFiles(xmlFiles, findings)) return 'wordpress'
  const texts = withPath(isTextFile)
  if (texts.length === 0) throw new ImportRefused(findings.onlyReason() ?? unknownProgram)
  await readMarkdown(texts, findings)
  return 'markdown'
}

/** Reads all XML files: WordPress divides a large site into several. */
async function readXmlFiles(files: readonly SourceFile[], findings: Findings): Promise<boolean> {
  let isKnown = false
  for (const file of files) {
    await findings.attemptFile(file.path, async () => {
      let isWxr = false
      await readWordPress(file, findings, () => (isWxr = isKnown = true))
      if (!isWxr) findings.skip(file.path, unknownProgram)
    })
  }
  return isKnown
}

const attachments =
  'aac avif bmp caf gif heic heif jpeg jpg m4a m4v mov mp3 mp4 mpg ogg pdf png svg tif tiff wav webm webp'.split(
    ' ',
  )

function reasonToSkip(path: string): string {
  if (isHidden(path)) return 'This file belongs to a program or an operating system.'
  if (hasExtension(path, 'zip')) return 'An archive inside another one is not read. Please import it alone.'
  if (hasExtension(path, ...attachments)) return 'Pictures and attachments are not imported.'
  return 'This file holds no text that is imported.'
}
