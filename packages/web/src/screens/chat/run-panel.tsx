/** The run beside the conversation: where it stands, what happened last, what it cost and how full the context is. */

import { type LiveState, ownMs, type RunId, runStatus, type SessionId } from '@countersign/contract'
import { useGateway, useRun } from '../../environment/queries.ts'
import { useClient } from '../../environment/services.tsx'
import { Chip, Facts, Link, Loaded, Money, Section, useNow } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { runStateWords } from '../../thread/run-state-words.ts'
import { runTone } from '../../thread/run-tone.ts'
import { Steps } from '../../thread/steps.tsx'
import { words } from '../../words/chat.tsx'
import { words as common } from '../../words/common.ts'
import { ContextBar } from './context-bar.tsx'

export function RunPanel({ state, session }: { state: LiveState; session: SessionId }) {
  const run = state.threads[session]?.run ?? null
  if (run === null) return <p className="text-small text-ink-3">{words.panel.none}</p>
  return (
    <>
      <Standing state={state} run={run} />
      <Section title={words.panel.happened}>
        <Steps items={state.threads[session]?.items.filter((item) => item.run === run) ?? []} />
      </Section>
      <Cost run={run} />
      <Context run={run} session={session} />
      <p className="mt-4 text-small">
        <Link to={`/activity/${run}`}>{words.panel.open}</Link>
      </p>
    </>
  )
}

function Standing({ state, run }: { state: LiveState; run: RunId }) {
  const now = useNow(1_000)
  const live = state.runs[run]
  if (live === undefined) return null
  const word = runStatus(state, live)
  const waits = runStateWords(live)
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-base max-md:sr-only">{words.panel.title}</h2>
        <Chip tone={runTone(word)}>{common.runState[word]}</Chip>
      </div>
      {waits === null ? null : <p className="mt-1 text-small text-ink-2">{waits}</p>}
      <p className="mt-1 text-small text-ink-3">{words.panel.ownTime(lengthWords(ownMs(live, now)))}</p>
    </>
  )
}

function Cost({ run }: { run: RunId }) {
  const detail = useRun(run)
  return (
    <Section title={words.panel.cost}>
      <Loaded query={detail}>
        {({ run: view }) => (
          <Facts
            rows={[
              [words.panel.spent, <Money key="cost" usd={view.costUsd} />],
              [words.panel.calls, String(view.calls)],
              [words.panel.agent, view.agent],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Context({ run, session }: { run: RunId; session: SessionId }) {
  const client = useClient()
  const agent = useRun(run).data?.run.agent ?? 'assistant'
  const prompt = useGateway(
    ['agents', agent, 'prompt', session],
    () => client.agentPrompt(agent, { session }),
    { freshMs: 60_000 },
  )
  return (
    <Section title={words.panel.context}>
      <Loaded query={prompt}>
        {({ sections, tools, model }) => (
          <>
            <ContextBar sections={sections} />
            <p className="mt-2 text-small text-ink-3">
              {words.panel.tools(model, tools.has, tools.shown.length)}
            </p>
          </>
        )}
      </Loaded>
    </Section>
  )
}
