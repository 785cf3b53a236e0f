/** One run in its views: as a conversation that can be gone through again, against time, as a graph, and as it was written. */

import type { RunDetail, RunId } from '@countersign/contract'
import { lazy, Suspense, useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { useChange, useGateway, useRun } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { useClient } from '../../environment/services.tsx'
import {
  Button,
  Chip,
  CopyButton,
  Link,
  Loaded,
  Mono,
  Safe,
  SafeBlock,
  Skeleton,
  Tabs,
  TierChip,
  Time,
  useNotify,
} from '../../kit/index.ts'
import { runStateWords } from '../../thread/run-state-words.ts'
import { runTone } from '../../thread/run-tone.ts'
import { words } from '../../words/activity.tsx'
import { words as common } from '../../words/common.ts'
import { runTitle } from './asked-line.ts'
import { Compare } from './compare.tsx'
import { runLog } from './replay.ts'
import { Replayer } from './replayer.tsx'
import { RunActions } from './run-actions.tsx'
import { RunFacts } from './run-facts.tsx'
import { runWord } from './run-word.ts'
import { UndoDialog } from './undo-dialog.tsx'
import { Waterfall } from './waterfall.tsx'

const Graph = lazy(() => import('./graph.tsx'))

export function RunPage({ id }: { id: RunId }) {
  const detail = useRun(id)
  return <Loaded query={detail}>{(data) => <RunViews detail={data} />}</Loaded>
}

function RunViews({ detail }: { detail: RunDetail }) {
  const { run } = detail
  const route = useRoute()
  const notify = useNotify()
  const client = useClient()
  const [undoing, setUndoing] = useState(route.search['undo'] !== undefined)
  const log = useGateway(['run', run.id, 'events'], () => runLog(client, run.id))
  const fork = useChange(
    async (asked) => {
      const made = await asked.forkSession(run.session, { before: run.id, simulate: true })
      await asked.retryRun(run.id, { session: made.session })
      return made
    },
    [['sessions']],
  )
  const tab = route.search['view'] ?? 'chat'
  const word = runWord(run)
  const waits = runStateWords(run)
  const begin = () =>
    fork.mutate(undefined, {
      onSuccess: ({ session }) => route.go(`/chat/${session}`),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  useKeys(words.keys.scope, [
    { keys: 'f', label: words.keys.fork, run: begin },
    { keys: 'shift+u', label: words.keys.undo, run: () => setUndoing(true) },
  ])
  return (
    <article>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
        <Chip tone={runTone(word)}>{common.runState[word]}</Chip>
        {run.undone === 0 ? null : <Chip>{words.run.undone(run.undone, run.undoable)}</Chip>}
        {run.tier === null ? null : <TierChip tier={run.tier} />}
        {run.mostTurns === undefined ? null : <span>{words.run.turns(run.turns, run.mostTurns)}</span>}
        <Time at={run.startedAt} />
        <Link to={`/chat/${run.session}`}>{words.run.conversation}</Link>
      </div>
      <h2 className="mt-2 line-clamp-2 text-title" title={runTitle(run)}>
        {runTitle(run)}
      </h2>
      {waits === null ? null : <p className="mt-1 text-ink-2">{waits}</p>}
      {run.detailsRemovedAt === null ? null : <p className="mt-1 text-ink-2">{words.run.removed}</p>}
      {run.message === '' ? null : (
        <p className="mt-1 text-ink-2">
          <Safe text={run.message} />
        </p>
      )}
      <RunFacts detail={detail} />
      {detail.reasoning.length === 0 ? null : (
        <details className="mt-3 text-small text-ink-2">
          <summary className="cursor-default">{words.run.reasoning}</summary>
          {detail.reasoning.map(({ turn, text }) => (
            <SafeBlock key={turn} text={text} className="mt-2 border-s-2 border-line ps-3" />
          ))}
        </details>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <RunActions run={run} />
        <Button keys="shift+u" disabled={run.undoable === 0} onClick={() => setUndoing(true)}>
          {words.run.undo}
        </Button>
        <Button keys="f" busy={fork.isPending} onClick={begin}>
          {words.run.fork}
        </Button>
        <CopyButton text={`countersign run show ${run.id}`} label={words.run.copyCommand} />
      </div>
      <div className="mt-6">
        <Tabs
          label={words.run.views}
          current={tab}
          onChange={(view) => route.ask({ view: view === 'chat' ? undefined : view })}
          tabs={[
            {
              id: 'chat',
              label: words.run.replay,
              content: () => (
                <Loaded
                  query={log}
                  isEmpty={(events) => events.length === 0}
                  empty={<p className="text-ink-2">{words.run.noEvents}</p>}
                >
                  {(events) => <Replayer run={run} events={events} />}
                </Loaded>
              ),
            },
            { id: 'timeline', label: words.run.timeline, content: () => <Waterfall detail={detail} /> },
            {
              id: 'graph',
              label: words.run.graph,
              content: () => (
                <Suspense fallback={<Skeleton />}>
                  <Graph detail={detail} />
                </Suspense>
              ),
            },
            { id: 'compare', label: words.run.compare, content: () => <Compare detail={detail} /> },
            {
              id: 'raw',
              label: words.run.raw,
              content: () => (
                <Loaded query={log}>
                  {(events) => (
                    <>
                      <CopyButton text={JSON.stringify(events, null, 2)} label={words.run.copyJson} />
                      <Mono
                        block
                        text={events.map((event) => JSON.stringify(event)).join('\n')}
                        foldAfter={20_000}
                        className="mt-2"
                      />
                    </>
                  )}
                </Loaded>
              ),
            },
          ]}
        />
      </div>
      {undoing ? <UndoDialog detail={detail} onClose={() => setUndoing(false)} /> : null}
    </article>
  )
}
