import type { Db } from '../database/pool.ts'
import { systemRandom } from '../ids.ts'
import { findInstanceSecret, keyFor } from '../instance.ts'
import { OperatorError } from '../operator-error.ts'
import type { UploadStore } from './upload-store.ts'

/** Refuses a place that belongs to another installation. No row here names its files, so a purge would delete all of them. */
export async function refuseForeignUploads(db: Db, uploads: UploadStore): Promise<void> {
  const installation = keyFor('owner of uploads', await findInstanceSecret(db, systemRandom)).toString('hex')
  if (await uploads.belongsTo(installation)) return
  throw new OperatorError(
    `The ${uploads.place} belongs to another installation. Use a bucket of its own. If this installation replaces the other one, delete the object ${ownerKey} of the bucket first.`,
  )
}

/** The object that names the installation to which a bucket belongs. */
export const ownerKey = '.zimmer/owner'
