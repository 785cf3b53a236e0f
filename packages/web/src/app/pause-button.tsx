/** Owns the one press that stops everything, and the one that lets it go on. No dialog: stopping is always safe. */

import { Pause, Play } from 'lucide-react'
import { keysForAria } from '../environment/keymap.ts'
import { isMac } from '../environment/keys.tsx'
import { useChange } from '../environment/queries.ts'
import { useLive } from '../environment/services.tsx'
import { Button, useNotify } from '../kit/index.ts'
import { words as common } from '../words/common.ts'
import { words } from '../words/frame.tsx'
import { frameKeys } from './key-table.ts'

export function usePause() {
  const notify = useNotify()
  const pause = useChange((client) => client.pause(), [['status']])
  const resume = useChange((client) => client.resume(), [['status']])
  const failed = (error: Error) => notify({ text: common.notDone(error.message), tone: 'bad' })
  return {
    pause: () =>
      pause.mutate(undefined, {
        onSuccess: ({ ledger }) => notify({ text: words.pause.paused(ledger) }),
        onError: failed,
      }),
    resume: () =>
      resume.mutate(undefined, {
        onSuccess: ({ ledger }) => notify({ text: words.pause.resumed(ledger) }),
        onError: failed,
      }),
    busy: pause.isPending || resume.isPending,
  }
}

export function PauseButton() {
  const paused = useLive((now) => now.state.paused !== null)
  const { pause, resume, busy } = usePause()
  if (paused)
    return (
      <Button icon={Play} busy={busy} onClick={resume}>
        {words.pause.resume}
      </Button>
    )
  return (
    <Button
      icon={Pause}
      busy={busy}
      onClick={pause}
      title={words.pause.title}
      aria-keyshortcuts={keysForAria(frameKeys.pause.keys, isMac())}
    >
      <span aria-hidden className="sm:hidden">
        {words.pause.pause}
      </span>
      <span className="max-sm:sr-only">{words.keys.pause}</span>
    </Button>
  )
}
