/** A model that fails, as the conversation tells it: why, when it is tried again, and what can be done meanwhile. */

import type { MarkItem, RunLive } from '@countersign/contract'
import { CircleAlert, RotateCw, Square } from 'lucide-react'
import { useAnsweringModels, useChange, useStatus } from '../environment/queries.ts'
import { Button, ButtonLink, Menu, Safe, useNotify, useNow } from '../kit/index.ts'
import { lengthWords } from '../language/format.ts'
import { words as chat } from '../words/chat.tsx'
import { words } from '../words/retrying.ts'
import { answerByAnother } from './another-model.ts'

const mostModels = 12

/** Nothing where the run is over, or its last try brought a reply. */
export function Retrying({ run, readOnly = false }: { run: RunLive | undefined; readOnly?: boolean }) {
  if (!run?.retry || run.state === 'stopped') return null
  const { retry } = run
  return (
    <section aria-label={words.label} className="border-s-2 border-t2 ps-3">
      <p className="text-ink-2">
        {retry.model === undefined ? null : <Safe text={`${words.failed(retry.model)} `} />}
        <Safe text={retry.because} />
      </p>
      <p className="mt-0.5 text-small text-ink-3 tabular-nums">
        <NextTry run={run} />
      </p>
      {readOnly || run.state !== 'parked' ? null : <Ways run={run} />}
    </section>
  )
}

function NextTry({ run: { state, retry } }: { run: RunLive }) {
  const now = useNow(1_000)
  if (!retry) return null
  const left = Date.parse(retry.at) - now.getTime()
  const count = words.count(retry.attempt, retry.of)
  if (left <= 0 || state === 'running')
    return <>{retry.use === undefined ? words.now : words.with(retry.use)}</>
  return <>{`${words.next(lengthWords(Math.ceil(left / 1_000) * 1_000))} (${count})`}</>
}

function Ways({ run }: { run: RunLive }) {
  const notify = useNotify()
  const onError = (error: Error) => notify({ text: error.message, tone: 'bad' })
  const retry = useRetry(run.id)
  const stop = useChange((client) => client.stopRun(run.id), [['runs'], ['run', run.id]])
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button icon={RotateCw} busy={retry.isPending} onClick={() => retry.mutate(undefined, { onError })}>
        {words.tryNow}
      </Button>
      <OtherModels failed={run.retry?.model} choose={(model) => retry.mutate(model, { onError })} />
      <Button
        variant="quiet"
        icon={Square}
        busy={stop.isPending}
        onClick={() => stop.mutate(undefined, { onError })}
      >
        {words.stop}
      </Button>
    </div>
  )
}

/** What can be done about a model that is silent: stop it, or let another answer. */
export function SlowWays({ run }: { run: string }) {
  const notify = useNotify()
  const onError = (error: Error) => notify({ text: error.message, tone: 'bad' })
  const touches = [['runs'], ['run', run], ['sessions']]
  const stop = useChange((client) => client.stopRun(run), touches)
  const swap = useChange(
    // Told here, because this is no longer shown once the run is stopped.
    (client, model: string) =>
      answerByAnother({ client, wait, stillRuns: words.stillRuns }, run, model).catch(onError),
    touches,
  )
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button
        icon={Square}
        busy={stop.isPending || swap.isPending}
        onClick={() => stop.mutate(undefined, { onError })}
      >
        {words.stop}
      </Button>
      <OtherModels failed={undefined} choose={(model) => swap.mutate(model)} />
    </div>
  )
}

const wait = (ms: number) => new Promise<void>((resolve) => window.setTimeout(resolve, ms))

function OtherModels({ failed, choose }: { failed: string | undefined; choose: (model: string) => void }) {
  const others = useAnsweringModels()
    .filter(({ ref }) => ref !== failed)
    .slice(0, mostModels)
  if (others.length === 0) return null
  return (
    <Menu
      label={words.another}
      variant="plain"
      items={others.map(({ ref, title }) => ({ label: title, detail: ref, run: () => choose(ref) }))}
    />
  )
}

/** Ends the wait of a run; of one that is over, sends its message once more. */
export function useRetry(run: string) {
  return useChange(
    (client, model: string | undefined) => client.retryRun(run, model === undefined ? {} : { model }),
    [['runs'], ['run', run], ['sessions']],
  )
}

/** How a run ended that did not end well. */
export function Ended({ item, readOnly }: { item: MarkItem; readOnly: boolean }) {
  const text = <Safe text={item.text === '' ? chat.thread.ended : item.text} />
  if (item.reason !== 'error')
    return <p className="border-s-2 border-line-strong ps-3 text-small text-ink-2">{text}</p>
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 border-s-2 border-bad ps-3">
      <p className="flex min-w-0 flex-1 basis-60 items-start gap-2">
        <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <span className="min-w-0">{text}</span>
      </p>
      {readOnly ? null : <TryAgain run={item.run} />}
      {readOnly ? null : <AddProvider />}
    </div>
  )
}

/** Only where no model is set up: then trying again is of no use before. */
function AddProvider() {
  const { data } = useStatus()
  return data?.model.state === 'none' ? <ButtonLink to="/models">{words.addProvider}</ButtonLink> : null
}

/** Sends the message of a run that is over once more, from wherever its end is told; with another model if one is chosen. */
export function TryAgain({ run, onSent }: { run: string; onSent?: (session: string) => void }) {
  const notify = useNotify()
  const retry = useRetry(run)
  const again = (model: string | undefined) =>
    retry.mutate(model, {
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
      onSuccess: ({ session }) => onSent?.(session),
    })
  return (
    <>
      <Button icon={RotateCw} busy={retry.isPending} onClick={() => again(undefined)}>
        {words.tryAgain}
      </Button>
      <OtherModels failed={undefined} choose={again} />
    </>
  )
}
