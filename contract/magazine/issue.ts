export const pdfOnly = 'Please select a PDF file'
export const pdfType = 'application/pdf'
export const issueMaxBytes = 20 * 1024 * 1024

/** Where an issue is downloaded. */
export const issuePath = (id: string): string => `/uploads/magazine/${id}.pdf`
