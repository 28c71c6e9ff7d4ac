import type { Endpoint, FileRule } from '#contract/endpoint.ts'
import { formOf } from '#server/testing/uploads.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'

/** Uploads a file as this person. Returns the answer, whatever its status. */
export const sendFile = (
  { url, cookie }: HttpClient,
  { path, method, file: { field } }: Endpoint & { file: FileRule },
  file: File,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}${path}`, { method, headers: { ...headers, cookie }, body: formOf(field, file) })
