export { gapsToast, pdfOf } from './pdf-of.ts'
export type { SavingTask } from './formats.ts'
export { SaveAs } from './SaveAs.tsx'
