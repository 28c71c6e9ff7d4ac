import { onTestFinished } from 'vitest'
import { openS3Server } from '#server/testing/s3-server.ts'

/** A bucket of an S3 service until the end of the test, and the settings that store uploads in it. */
export async function openBucket() {
  const s3 = await openS3Server()
  onTestFinished(s3.close)
  const settings = {
    UPLOADS_S3_ENDPOINT: s3.config.uploadsEndpoint,
    UPLOADS_S3_BUCKET: s3.config.uploadsBucket,
    UPLOADS_S3_REGION: s3.config.uploadsRegion,
    UPLOADS_S3_ACCESS_KEY_ID: s3.config.uploadsAccessKeyId,
    UPLOADS_S3_SECRET_ACCESS_KEY: s3.config.uploadsSecretKey,
  }
  return { s3, settings }
}
