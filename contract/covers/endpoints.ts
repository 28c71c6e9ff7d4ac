import * as z from 'zod/mini'
import { coverMaxBytes, picturesOnly, pictureTypes } from '#contract/covers/cover.ts'
import { endpoint } from '#contract/endpoint.ts'

export const uploadCover = endpoint({
  summary: 'Stores a picture for a post.',
  description: 'A post takes it with `imageUrl`. A cover that no post takes is deleted after a day.',
  method: 'POST',
  path: '/api/admin/covers',
  file: { field: 'cover', maxBytes: coverMaxBytes, types: pictureTypes, refusal: picturesOnly },
  output: z.object({ imageUrl: z.string() }),
  status: 201,
  errors: ['PictureTooLarge', 'PictureUnreadable'],
})
