import type { ImportFormat } from './entry.ts'

export const formatNames: Record<ImportFormat, string> = {
  zimmer: 'an archive of Z!mmer',
  dayone: 'Day One',
  applejournal: 'Apple Journal',
  markdown: 'text files',
  wordpress: 'WordPress',
  ghost: 'Ghost',
  journiv: 'Journiv',
  substack: 'Substack',
  medium: 'Medium',
}
