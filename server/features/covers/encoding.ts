import type { coverErrors } from '#contract/covers/errors.ts'

/** The formats of pictures that are taken, each with the only code that may read it. */
export const loaders = {
  jpeg: 'VipsForeignLoadJpegFile',
  png: 'VipsForeignLoadPngFile',
  webp: 'VipsForeignLoadWebpFile',
  avif: 'VipsForeignLoadHeifFile',
} as const

export type Format = keyof typeof loaders

/** What the process that encodes a picture answers. */
export type Encoding = { width: number; height: number } | { refusal: keyof typeof coverErrors }
