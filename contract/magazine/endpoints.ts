import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { issueMaxBytes, pdfOnly, pdfType } from '#contract/magazine/issue.ts'

/** Adds an issue of the literary magazine, which is then the current one. */
export const uploadIssue = endpoint({
  method: 'POST',
  path: '/api/upload-litmag',
  file: { field: 'litmag', maxBytes: issueMaxBytes, types: [pdfType], refusal: pdfOnly },
  output: z.object({ url: z.string() }),
  status: 201,
  errors: [],
})

/** The address of the newest issue; null before the first one. */
export const getCurrentIssue = endpoint({
  method: 'GET',
  path: '/api/litmag',
  output: z.object({ url: z.nullable(z.string()) }),
  errors: [],
})
