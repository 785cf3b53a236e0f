/** Goes through a run again: exactly what was to be seen at any moment, the waiting cards too. Nothing runs. */

import type { GatewayEvent, RunView } from '@countersign/contract'
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { Button, Choice } from '../../kit/index.ts'
import { locale } from '../../language/current.ts'
import { Thread } from '../../thread/thread.tsx'
import { words } from '../../words/activity.tsx'
import { pauseBefore, stateAfter } from './replay.ts'

export function Replayer({ run, events }: { run: RunView; events: readonly GatewayEvent[] }) {
  const [at, setAt] = useState(events.length)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<'1' | '10'>('10')
  const state = useMemo(() => stateAfter(events, at), [events, at])
  const step = (by: number) => {
    setPlaying(false)
    setAt((now) => Math.min(events.length, Math.max(0, now + by)))
  }
  const toggle = () => {
    if (at >= events.length) setAt(0)
    setPlaying(!playing)
  }
  useEffect(() => {
    if (!playing) return
    if (at >= events.length) return setPlaying(false)
    const timer = window.setTimeout(() => setAt(at + 1), pauseBefore(events, at, Number(speed)))
    return () => window.clearTimeout(timer)
  }, [playing, at, events, speed])
  useKeys(words.replay.scope, [
    { keys: 'space', label: words.replay.toggle, run: toggle },
    { keys: 'arrowleft', label: words.replay.back, repeats: true, run: () => step(-1) },
    { keys: 'arrowright', label: words.replay.forward, repeats: true, run: () => step(1) },
  ])
  const moment = events[at - 1]?.at
  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-3 rounded-2 border border-line bg-sheet px-3 py-2">
        <Button variant="quiet" icon={SkipBack} onClick={() => step(-1)}>
          {words.replay.backShort}
        </Button>
        <Button icon={playing ? Pause : Play} onClick={toggle}>
          {playing ? words.replay.pause : words.replay.play}
        </Button>
        <Button variant="quiet" icon={SkipForward} onClick={() => step(1)}>
          {words.replay.forwardShort}
        </Button>
        <label className="flex min-w-40 flex-1 items-center gap-2">
          <span className="sr-only">{words.replay.event}</span>
          <input
            type="range"
            min={0}
            max={events.length}
            value={at}
            onChange={(event) => {
              setPlaying(false)
              setAt(Number(event.target.value))
            }}
            className="w-full accent-act"
          />
        </label>
        <span className="text-small text-ink-3">
          {words.replay.at(at, events.length)}
          {moment === undefined ? '' : `, ${new Date(moment).toLocaleTimeString(locale())}`}
        </span>
        <Choice
          label={words.replay.speed}
          hideLabel
          value={speed}
          options={[
            { value: '1', label: '1×' },
            { value: '10', label: '10×' },
          ]}
          onChange={setSpeed}
        />
      </div>
      {at === 0 ? (
        <p className="text-ink-2">{words.replay.before}</p>
      ) : (
        <Thread state={state} session={run.session} readOnly />
      )}
    </div>
  )
}
