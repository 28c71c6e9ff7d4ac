// Runs in a process of its own, because a picture may crash it or use up its memory and time.
import sharp from 'sharp'
import { coverMaxSide, pictureMaxPixels, pictureMaxSide } from '#contract/covers/cover.ts'
import { type Encoding, type Format, loaders } from './encoding.ts'

const [path, format] = process.argv.slice(2) as [string, Format]

// The input closes when the server ends.
process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGKILL'))

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: [loaders[format]] })
sharp.cache(false)
sharp.concurrency(1)

const { width, height } = await sharp(path, { limitInputPixels: false }).metadata()
if (Math.max(width, height) > pictureMaxSide || width * height > pictureMaxPixels)
  answer({ refusal: 'PictureTooLarge' })
else {
  // `sharp` drops the metadata, such as the place and the camera.
  const encoded = await sharp(path, { failOn: 'warning', limitInputPixels: pictureMaxPixels, pages: 1 })
    .autoOrient()
    .resize({ width: coverMaxSide, height: coverMaxSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
  answer({ width: encoded.info.width, height: encoded.info.height }, encoded.data)
}

/** Writes a line of JSON, and after it the bytes of the cover. */
function answer(encoding: Encoding, cover = Buffer.alloc(0)) {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(encoding)}\n`), cover]), () =>
    process.exit(),
  )
}
