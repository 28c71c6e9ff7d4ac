/** The smallest text that the server accepts as a PDF. */
export const pdfText = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'

export const aPdf = (content: string = pdfText, name = 'Issue 1.pdf', type = 'application/pdf'): File =>
  new File([content], name, { type })

/** A picture of 3 x 2 pixels. */
export const aPng = (): File => new File([pngBytes], 'cover.png', { type: 'image/png' })
export const pngBytes: Buffer<ArrayBuffer> = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAMAAACqqpYoAAAAA1BMVEXMMzN0dFbYAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVQImWNggAAAAAgAAa9T6iIAAAAASUVORK5CYII=',
  'base64',
)

/** The body of an upload: one part with a file. */
export function formOf(field: string, file: File): FormData {
  const form = new FormData()
  form.append(field, file)
  return form
}
