/** The button that is held to talk. A short press keeps it listening until the next, for whoever cannot hold it. */
import { Mic, Square } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { Button } from '../../kit/index.ts'
import { words } from '../../words/speech.ts'
import type { Talking } from './use-talking.ts'

/** A press that is shorter was no holding. */
const holdMs = 400

export function TalkButton({ talking }: { talking: Talking }) {
  const { state } = talking
  const pressed = useRef<number | null>(null)
  const handled = useRef(false)
  const press = (at: number) => {
    handled.current = true
    if (state === 'idle') {
      pressed.current = at
      talking.begin()
    } else if (state === 'listening') talking.finish()
  }
  const release = (at: number) => {
    const since = pressed.current
    pressed.current = null
    if (since !== null && at - since > holdMs) talking.finish()
  }
  const isOn = state === 'starting' || state === 'listening'
  return (
    <Button
      variant={isOn ? 'danger' : 'quiet'}
      icon={isOn ? Square : Mic}
      busy={state === 'writing'}
      aria-pressed={isOn}
      className="touch-none max-md:order-first max-md:min-w-11"
      onPointerDown={(event: PointerEvent) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        press(event.timeStamp)
      }}
      onPointerUp={({ timeStamp }) => release(timeStamp)}
      onPointerCancel={({ timeStamp }) => release(timeStamp)}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape' && isOn) {
          event.preventDefault()
          event.stopPropagation()
          talking.discard()
        }
        if (event.key !== ' ' && event.key !== 'Enter') return
        event.preventDefault()
        if (!event.repeat) press(event.timeStamp)
      }}
      onKeyUp={(event: KeyboardEvent) => {
        if (event.key !== ' ' && event.key !== 'Enter') return
        event.preventDefault()
        handled.current = false
        release(event.timeStamp)
      }}
      onClick={(event) => {
        // A reader presses without a pointer and without a key.
        if (!handled.current) press(event.timeStamp)
        pressed.current = null
        handled.current = false
      }}
    >
      <span className="max-md:sr-only">{isOn ? words.stop : words.hold}</span>
    </Button>
  )
}

/** On a line of its own while something goes on; readers are told by the announcements. */
export function TalkNote({ talking: { state, seconds, discard } }: { talking: Talking }) {
  if (state === 'idle') return null
  return (
    <p className="flex items-center gap-2 px-4 pb-2 text-small text-ink-2">
      {state === 'listening' ? (
        <span
          aria-hidden
          className="size-2 shrink-0 animate-pulse rounded-full bg-bad motion-reduce:animate-none"
        />
      ) : null}
      <span className="min-w-0">{noteOf(state, seconds)}</span>
      {state === 'writing' ? null : (
        <Button variant="quiet" size="small" onClick={discard}>
          {words.discard}
        </Button>
      )}
    </p>
  )
}

function noteOf(state: Talking['state'], seconds: number): string {
  if (state === 'starting') return words.starting
  if (state === 'writing') return words.writing
  return words.listening(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)
}
