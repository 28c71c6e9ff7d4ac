import { removeDataFolder } from '../scripts/testing/running-server.ts'
import { makeFolderToCopy } from '../scripts/testing/used-folder.ts'

/** The servers of all workers begin on copies of one folder, which workers find in the environment. */
export default async function setup() {
  const usedFolder = await makeFolderToCopy()
  process.env.USED_FOLDER = usedFolder
  return () => removeDataFolder(usedFolder)
}
