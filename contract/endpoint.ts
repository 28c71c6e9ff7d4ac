import type * as z from 'zod/mini'
import type { ErrorCode } from '#contract/errors.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A file that a call takes instead of JSON: the only part of a `multipart/form-data` body. */
export interface FileRule {
  /** The name of the part. */
  field: string
  maxBytes: number
  /** The media types that the part may declare. */
  types: readonly string[]
  /** The sentence for people when the part is missing, is not alone, or has another type. */
  refusal: string
}

/** One call of the API: its shapes on the wire and its refusals. */
export interface Endpoint {
  /** One sentence for people who read the description of the API. The build of the page drops it. */
  summary: string
  /** What else they must know. */
  description?: string
  method: Method
  /** `:name` is a parameter. */
  path: `/api/${string}`
  params?: z.ZodMiniType
  query?: z.ZodMiniType
  input?: z.ZodMiniType
  file?: FileRule
  output: z.ZodMiniType
  /** The media types of the files that the call answers instead of JSON. */
  answersFiles?: readonly string[]
  /** Headers of the answer that no other call has, each with a sentence about it. */
  headers?: Readonly<Record<string, string>>
  /** The status of success: 200 when left out. */
  status?: 200 | 201 | 204
  /** Refusals of this call, beside the ones that any call may answer (`commonErrors`). */
  errors?: readonly ErrorCode[]
  /** What is stored now, as a conflict answers it: in the shape of `output` when left out. */
  current?: z.ZodMiniType
}

export const endpoint = <const E extends Endpoint>(shape: E): E => shape

type Part<E extends Endpoint, K extends 'params' | 'query' | 'input'> = NonNullable<E[K]>

/** What a handler receives, parsed. */
export type ParamsOf<E extends Endpoint> = z.output<Part<E, 'params'>>
export type QueryOf<E extends Endpoint> = z.output<Part<E, 'query'>>
export type InputOf<E extends Endpoint> = z.output<Part<E, 'input'>>

/** What a caller sends. */
export type SentParams<E extends Endpoint> = z.input<Part<E, 'params'>>
export type SentQuery<E extends Endpoint> = z.input<Part<E, 'query'>>
export type SentInput<E extends Endpoint> = z.input<Part<E, 'input'>>

export type ErrorsOf<E extends Endpoint> = E['errors'] extends
  readonly (infer Code extends ErrorCode)[] | undefined
  ? Code
  : never

export type OutputOf<E extends Endpoint> = z.output<E['output']>

/** The path of a call with its parameters and query filled in. */
export function pathOf(
  { path }: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: { params?: object; query?: object } = {},
): string {
  const filled = Object.entries(params).reduce<string>(
    (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(String(value))),
    path,
  )
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
  return search === '' ? filled : `${filled}?${search}`
}
