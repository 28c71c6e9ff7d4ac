export { gapsToast, pdfOf } from './pdf-of.ts'
export type { Work } from './formats.ts'
export { saveFile } from './save-file.ts'
export { SaveAs } from './SaveAs.tsx'
