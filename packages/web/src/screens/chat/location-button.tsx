/** Says where one is, as words in the message: asked of the browser at a press only, and read before it is sent. */
import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { Button, useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'
import { locationProblem, locationText } from './location-text.ts'

const options: PositionOptions = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 }

/** Where a finger points somebody is on the way; a computer on a table is not asked. */
export function LocationButton({ onWords }: { onWords: (text: string) => void }) {
  const notify = useNotify()
  const [busy, setBusy] = useState(false)
  const fail = (text: string) => notify({ text, tone: 'bad' })
  const look = () => {
    if (!('geolocation' in navigator)) return fail(words.here.unsupported)
    setBusy(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setBusy(false)
        onWords(locationText(coords))
      },
      ({ code }) => {
        setBusy(false)
        fail(words.here[locationProblem(code)])
      },
      options,
    )
  }
  return (
    <span className="hidden max-md:order-first pointer-coarse:block">
      <Button variant="quiet" icon={MapPin} busy={busy} className="max-md:min-w-11" onClick={look}>
        <span className="sr-only">{words.here.attach}</span>
      </Button>
    </span>
  )
}
