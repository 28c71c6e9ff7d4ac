import { arrivingOf, uploadsOf } from '../backup/upload-names.ts'
import { FolderStore } from './folder-store.ts'
import { S3Store } from './s3-store.ts'
import type { UploadStore } from './upload-store.ts'

interface Settings {
  dataDir: string
  uploadsEndpoint?: string | undefined
  uploadsBucket?: string | undefined
  uploadsRegion: string
  uploadsAccessKeyId?: string | undefined
  uploadsSecretKey?: string | undefined
}

/** The place of the uploads: an S3 service when it is set, otherwise the data folder. */
export const openUploads = (settings: Settings): UploadStore =>
  openS3(settings) ?? new FolderStore(uploadsOf(settings.dataDir))

/** The S3 service of the settings, which are set together or not at all. */
export function openS3({
  dataDir,
  uploadsEndpoint: endpoint,
  uploadsBucket: bucket,
  uploadsRegion: region,
  uploadsAccessKeyId: accessKeyId,
  uploadsSecretKey: secretAccessKey,
}: Settings): S3Store | undefined {
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined
  return new S3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey }, arrivingOf(dataDir))
}
