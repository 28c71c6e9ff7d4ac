import { uploadsOf } from '../backup/upload-names.ts'
import { FolderStore } from './folder-store.ts'
import type { UploadStore } from './upload-store.ts'

/** The place of the uploads. */
export const openUploads = ({ dataDir }: { dataDir: string }): UploadStore =>
  new FolderStore(uploadsOf(dataDir))
