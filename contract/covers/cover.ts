/** The formats of pictures that are taken. Each picture is stored as WebP. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const
export const picturesOnly = 'Please select a JPEG, PNG, WebP or AVIF picture.'
export const coverGone = 'This picture is not available any more. Please upload it again.'
export const coverMaxBytes = 10 * 1024 * 1024
/** The most pixels of one side of a picture, and of the whole. */
export const pictureMaxSide = 16_000
export const pictureMaxPixels = 50_000_000
/** The most pixels of one side of a stored cover. */
export const coverMaxSide = 1600
