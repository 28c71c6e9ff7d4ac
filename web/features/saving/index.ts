export { gapsToast, pdfOf } from './pdf-of.ts'
export type { Work } from './formats.ts'
export { SaveAs } from './SaveAs.tsx'
