import { useEffect, useRef, useState } from 'react'
import { coverGone, coverMaxBytes, picturesOnly, pictureTypes } from '#contract/covers/cover.ts'
import type { uploadCover } from '#contract/covers/endpoints.ts'
import { coverOf } from '#contract/covers/paths.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { randomId } from '#web/lib/session-keys.ts'
import type { useUpload } from '#web/lib/use-upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { UploadProgress } from '#web/ui/UploadProgress.tsx'

interface CoverFieldProps {
  imageUrl: string
  onChange: (imageUrl: string) => void
  upload: ReturnType<typeof useUpload<typeof uploadCover>>
  refusal: string | undefined
}

const tooLarge = 'This picture is larger than 10 MB.'
const aboutThePicture: readonly (ErrorCode | null)[] = [
  'InvalidInput',
  'PictureTooLarge',
  'PictureUnreadable',
]

/** The picture of an article: an upload, or the address of a picture of this site. */
export function CoverField({ imageUrl, onChange, upload, refusal }: CoverFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  /** The picture that is being uploaded, or whose upload failed and can be tried again. */
  const [chosen, setChosen] = useState<File | null>(null)
  const [error, setError] = useState('')
  const [failure, setFailure] = useState('')
  const [addressError, setAddressError] = useState('')
  const [isOver, setIsOver] = useState(false)
  const preview = useDataUrl(chosen)
  const shown = preview ?? (chosen === null && isAddress(imageUrl) ? imageUrl : null)

  const send = async (file: File) => {
    setFailure('')
    try {
      const cover = await upload.run(file, randomId())
      if (cover !== null) change(cover.imageUrl)
      setChosen(null)
    } catch (reason) {
      const sentence = sentenceOf(reason, 'The picture could not be uploaded. Check the connection.')
      if (!aboutThePicture.includes(codeOf(reason))) return setFailure(sentence)
      setChosen(null)
      setError(sentence)
      input.current?.focus()
    }
  }
  const choose = (file: File | undefined) => {
    // The same file can be chosen again.
    if (input.current) input.current.value = ''
    if (file === undefined || upload.share !== null) return
    setFailure('')
    setError('')
    setChosen(null)
    if (!pictureTypes.some((type) => type === file.type)) return setError(picturesOnly)
    if (file.size > coverMaxBytes) return setError(tooLarge)
    setChosen(file)
    void send(file)
  }
  const change = (address: string) => {
    setAddressError('')
    onChange(address)
  }
  const remove = () => {
    upload.cancel()
    setChosen(null)
    setFailure('')
    setError('')
    change('')
    input.current?.focus()
  }
  const cancel = () => {
    upload.cancel()
    input.current?.focus()
  }
  return (
    <fieldset
      aria-label="Picture"
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        choose(event.dataTransfer.files[0])
      }}
      className={cx(
        'flex min-w-0 flex-col gap-3 rounded-lg border border-dashed p-4',
        isOver ? 'border-lamp bg-sunk' : 'border-edge',
      )}
    >
      <FileField
        ref={input}
        label="Picture (optional)"
        hint="Choose a JPEG, PNG, WebP or AVIF picture of at most 10 MB, or drop one here."
        accept={pictureTypes.join()}
        error={error}
        onChange={(event) => choose(event.target.files?.[0])}
      />
      {shown !== null && (
        <img
          key={shown}
          src={shown}
          alt="Preview"
          onError={() => preview === null && setAddressError(coverOf(imageUrl) ? coverGone : notFound)}
          className="max-h-80 self-center rounded-md bg-sunk object-contain"
        />
      )}
      {failure && chosen && <QuietLine text={failure} onTryAgain={() => void send(chosen)} />}
      <div className="flex flex-wrap items-center gap-3 empty:hidden">
        <UploadProgress share={upload.share} onCancel={cancel} />
        {(chosen !== null || imageUrl !== '') && upload.share === null && (
          <Button variant="quiet" onClick={remove}>
            Remove the picture
          </Button>
        )}
      </div>
      <TextField
        label="Or the address of a picture of this site"
        value={imageUrl}
        error={refusal ?? addressError}
        placeholder="/uploads/…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        // An address that is copied from a page begins with the name of the site.
        onChange={({ target }) => change(target.value.trim().replace(`${location.origin}/`, '/'))}
      />
    </fieldset>
  )
}

const notFound = 'There is no picture at this address.'
const isAddress = (text: string) => /^\/.*\.(avif|gif|jpe?g|png|svg|webp)$/i.test(text)

/** The file as an address: the policy of the page allows no `blob:` pictures. */
function useDataUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === null) return
    const reader = new FileReader()
    reader.addEventListener('load', () => setUrl(reader.result as string))
    reader.readAsDataURL(file)
    return () => {
      reader.abort()
      setUrl(null)
    }
  }, [file])
  return url
}
