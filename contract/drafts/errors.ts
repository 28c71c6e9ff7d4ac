import { draftsMax, draftsMaxMiB } from './draft.ts'

export const draftErrors = {
  DraftNotFound: { status: 404, error: 'This draft does not exist.' },
  DraftConflict: {
    status: 400,
    error: 'This draft was changed elsewhere in the meantime. Nothing was overwritten.',
  },
  DraftsFull: {
    status: 400,
    error: `You have ${draftsMax} drafts, or ${draftsMaxMiB} MiB of them. Please delete one first.`,
  },
  DraftDamaged: {
    status: 400,
    error: 'What is stored of this draft is damaged and cannot be read. Nothing was overwritten.',
  },
} as const
