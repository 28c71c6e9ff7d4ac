export const coverErrors = {
  PictureTooLarge: {
    status: 400,
    error: 'This picture has too many pixels. A side has at most 16,000, and the whole 50 million.',
  },
  PictureUnreadable: {
    status: 400,
    error: 'This picture is damaged or too complex. Please select another one.',
  },
} as const
