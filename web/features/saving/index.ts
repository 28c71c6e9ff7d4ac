export { gapsToast, pdfOf } from './pdf-of.ts'
export { saveFile } from './save-file.ts'
