import { documentsMax, documentsMaxMiB } from './document.ts'

export const documentErrors = {
  DocumentNotFound: { status: 404, error: 'This document does not exist.' },
  DocumentConflict: { status: 400, error: 'You have this document already. Nothing was overwritten.' },
  DocumentsFull: {
    status: 400,
    error: `You have ${documentsMax.toLocaleString('en-US')} documents, or ${documentsMaxMiB} MiB of them. Please delete one first.`,
  },
  DocumentDamaged: {
    status: 400,
    error: 'What is stored of this document is damaged and cannot be read.',
  },
} as const
