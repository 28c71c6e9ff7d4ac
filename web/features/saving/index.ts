export { pdfOf } from './pdf-of.ts'
