import { Parser } from 'htmlparser2'

export interface StoredObject {
  key: string
  modifiedMs: number
}

interface Page {
  objects: StoredObject[]
  /** The token of the next page; undefined on the last one. */
  next: string | undefined
}

/** `ListBucketResult`, `Contents`, a field such as `Owner`, and its fields. The parser takes very long for deep elements. */
const maxDepth = 4

/** Reads an answer of `ListObjectsV2`. Undefined when it is no list, is cut off, or names no next page where there is one. */
export function readS3List(text: string): Page | undefined {
  const path: string[] = []
  const page = new Map<string, string>()
  const contents: Map<string, string>[] = []
  let isList = false
  let isWhole = false
  const parser = new Parser(
    {
      onopentagname: (name) => {
        path.push(name)
        if (path.length === 1) isList = name === 'ListBucketResult'
        if (path.length === 2 && name === 'Contents') contents.push(new Map())
        if (path.length > maxDepth) parser.pause()
      },
      ontext: (part) => {
        const fields = path.length === 3 && path[1] === 'Contents' ? contents.at(-1) : page
        const name = path.slice(fields === page ? 1 : 2).join('/')
        fields!.set(name, (fields!.get(name) ?? '') + part)
      },
      onclosetag: (_name, isImplied) => {
        path.pop()
        // An element without content, such as `<Prefix/>`, is implied, too.
        if (path.length === 0) isWhole = !isImplied
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  const next = page.get('NextContinuationToken')
  const hasMore = page.get('IsTruncated') === 'true'
  if (!isList || !isWhole || (hasMore && next === undefined)) return undefined
  // Some services send the keys as they are.
  const isEncoded = page.get('EncodingType') === 'url'
  try {
    const objects = contents.map((fields) => {
      const key = fields.get('Key') ?? ''
      return {
        key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
        modifiedMs: Date.parse(fields.get('LastModified') ?? ''),
      }
    })
    return { objects, next }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
