/** What can be done with a run: stop it while it goes on, or try it again when it is over or waits for a model. */

import type { RunView } from '@countersign/contract'
import { Pause, Play, RotateCw, Square } from 'lucide-react'
import { useChange } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { Button, useNotify } from '../../kit/index.ts'
import { TryAgain, useRetry } from '../../thread/retrying.tsx'
import { words } from '../../words/retrying.ts'

export function RunActions({ run }: { run: RunView }) {
  const route = useRoute()
  const notify = useNotify()
  const onError = (error: Error) => notify({ text: error.message, tone: 'bad' })
  const retry = useRetry(run.id)
  const stop = useChange((client) => client.stopRun(run.id), [['runs'], ['run', run.id]])
  const touches = [['runs'], ['run', run.id]]
  const pause = useChange((client) => client.pauseRun(run.id), touches)
  const resume = useChange((client) => client.resumeRun(run.id), touches)
  if (run.state === 'stopped')
    return run.kind === 'agent' ? (
      <TryAgain run={run.id} onSent={(session) => route.go(`/chat/${session}`)} />
    ) : null
  return (
    <>
      {run.parkedOn === 'retry' ? (
        <Button icon={RotateCw} busy={retry.isPending} onClick={() => retry.mutate(undefined, { onError })}>
          {words.tryNow}
        </Button>
      ) : null}
      {run.state === 'running' ? (
        <Button icon={Pause} busy={pause.isPending} onClick={() => pause.mutate(undefined, { onError })}>
          {words.pause}
        </Button>
      ) : null}
      {run.parkedOn === 'paused' ? (
        <Button icon={Play} busy={resume.isPending} onClick={() => resume.mutate(undefined, { onError })}>
          {words.resume}
        </Button>
      ) : null}
      <Button icon={Square} busy={stop.isPending} onClick={() => stop.mutate(undefined, { onError })}>
        {words.stop}
      </Button>
    </>
  )
}
