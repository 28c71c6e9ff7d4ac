import { Star } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isBlank } from '#contract/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'

const ratings = [1, 2, 3, 4, 5]
const sendingMs = 1000

/** A demo of the form: nothing is sent, and the form says so. */
export function Feedback() {
  const [rating, setRating] = useState<number | null>(null)
  const [text, setText] = useState('')
  const [isSending, setIsSending] = useState(false)
  const sending = useRef<ReturnType<typeof setTimeout>>(undefined)
  const toast = useToast()

  useEffect(() => () => clearTimeout(sending.current), [])

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (rating === null || isBlank(text)) {
      toast({ title: 'Please provide both rating and feedback' })
      return
    }
    setIsSending(true)
    sending.current = setTimeout(() => {
      setIsSending(false)
      setRating(null)
      setText('')
      toast({ title: 'Thank you for your feedback!' })
    }, sendingMs)
  }
  return (
    <Card as="section" aria-labelledby="feedback" className="p-6">
      <h2 id="feedback" className="mb-4 text-xl">
        Rating and feedback
      </h2>
      <form className="flex flex-col items-start gap-4" onSubmit={send}>
        <fieldset>
          <legend className="mb-2 text-sm font-medium">Rating</legend>
          <div className="flex gap-1">
            {ratings.map((stars) => (
              <label
                key={stars}
                className="touch grid size-10 cursor-pointer place-items-center rounded-md hover:bg-sunk has-focus-visible:outline-2 has-focus-visible:outline-lamp"
              >
                <input
                  type="radio"
                  name="rating"
                  className="sr-only"
                  checked={rating === stars}
                  onChange={() => setRating(stars)}
                />
                <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
                <Star
                  aria-hidden
                  className={cx('size-6 text-lamp', rating !== null && stars <= rating && 'fill-lamp')}
                />
              </label>
            ))}
          </div>
        </fieldset>
        <div className="w-full">
          <TextArea
            label="Feedback"
            hint="This form is a demo. Nothing is sent to a server."
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit" busy={isSending}>
          Send feedback
        </Button>
      </form>
    </Card>
  )
}
