import * as z from 'zod/mini'
import { coverMaxBytes, picturesOnly, pictureTypes } from '#contract/covers/cover.ts'
import { endpoint } from '#contract/endpoint.ts'

/** Stores a picture for a post. A post takes it with `imageUrl`; a cover that no post takes is deleted after a day. */
export const uploadCover = endpoint({
  method: 'POST',
  path: '/api/admin/covers',
  file: { field: 'cover', maxBytes: coverMaxBytes, types: pictureTypes, refusal: picturesOnly },
  output: z.object({ imageUrl: z.string() }),
  status: 201,
  errors: ['PictureTooLarge', 'PictureUnreadable'],
})
