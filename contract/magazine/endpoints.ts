import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { issueMaxBytes, pdfOnly, pdfType } from '#contract/magazine/issue.ts'

export const uploadIssue = endpoint({
  summary: 'Adds an issue of the literary magazine, which is then the current one.',
  method: 'POST',
  path: '/api/upload-litmag',
  file: { field: 'litmag', maxBytes: issueMaxBytes, types: [pdfType], refusal: pdfOnly },
  output: z.object({ url: z.string() }),
  status: 201,
})

export const getCurrentIssue = endpoint({
  summary: 'Answers the address of the newest issue of the magazine; null before the first one.',
  method: 'GET',
  path: '/api/litmag',
  output: z.object({ url: z.nullable(z.string()) }),
})
