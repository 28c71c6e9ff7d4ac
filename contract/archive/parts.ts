/** The parts of an archive in their order, as people read their names. */
export const archiveParts = [
  'Diary',
  'Calendar',
  'Posts',
  'Drafts',
  'Documents',
  'Stories',
  'Messages',
  'Friends',
  'Settings',
  'Notifications',
  'Reading',
] as const
export type ArchivePart = (typeof archiveParts)[number]
