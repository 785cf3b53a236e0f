/** The run beside the conversation: where it stands, what happened in order, what it cost and what it was shown. */

import { type LiveState, type RunId, runStatus, type SessionId } from '@countersign/contract'
import { useGateway, useRun } from '../../environment/queries.ts'
import { useClient } from '../../environment/services.tsx'
import { Chip, Facts, Link, Loaded, Meter, Money, Section, useNow } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { runStateWords } from '../../thread/run-state-words.ts'
import { runTone } from '../../thread/run-tone.ts'
import { Steps } from '../../thread/steps.tsx'
import { words } from '../../words/chat.tsx'
import { words as common } from '../../words/common.ts'

export function RunPanel({ state, session }: { state: LiveState; session: SessionId }) {
  const run = state.threads[session]?.run ?? null
  return (
    <aside aria-label={words.panel.title} className="h-full overflow-y-auto border-s border-line px-4 py-4">
      {run === null ? (
        <p className="text-small text-ink-3">{words.panel.none}</p>
      ) : (
        <RunFacts state={state} run={run} session={session} />
      )}
    </aside>
  )
}

function RunFacts({ state, run, session }: { state: LiveState; run: RunId; session: SessionId }) {
  const now = useNow(1_000)
  const live = state.runs[run]
  const detail = useRun(run)
  const client = useClient()
  const agent = detail.data?.run.agent ?? 'assistant'
  const prompt = useGateway(
    ['agents', agent, 'prompt', session],
    () => client.agentPrompt(agent, { session }),
    { freshMs: 60_000 },
  )
  const word = live ? runStatus(state, live) : null
  const end = live?.endedAt == null ? now : new Date(live.endedAt)
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-base">{words.panel.title}</h2>
        {word === null ? null : <Chip tone={runTone(word)}>{common.runState[word]}</Chip>}
      </div>
      {live && runStateWords(live) !== null ? (
        <p className="mt-1 text-small text-ink-2">{runStateWords(live)}</p>
      ) : null}
      {live ? (
        <p className="mt-1 text-small text-ink-3">
          {words.panel.ownTime(
            lengthWords(Math.max(0, end.getTime() - Date.parse(live.startedAt) - live.waitedMs)),
          )}
        </p>
      ) : null}
      <Section title={words.panel.happened}>
        <Steps items={state.threads[session]?.items.filter((item) => item.run === run) ?? []} />
      </Section>
      <Section title={words.panel.cost}>
        <Loaded query={detail}>
          {({ run: view }) => (
            <Facts
              rows={[
                [words.panel.spent, <Money key="cost" usd={view.costUsd} />],
                [words.panel.turns, String(view.turns)],
                [words.panel.calls, String(view.calls)],
                [words.panel.agent, view.agent],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title={words.panel.context}>
        <Loaded query={prompt}>
          {({ sections, tools, model }) => {
            const total = sections.reduce((sum, { length }) => sum + length, 0)
            return (
              <>
                <p className="text-small text-ink-2">
                  {words.panel.tools(model, tools.has, tools.shown.length)}
                </p>
                <ul className="mt-2 space-y-1.5">
                  {sections.map(({ name, length }) => (
                    <li key={name}>
                      <Meter label={name} value={length} of={total} words={words.panel.characters(length)} />
                    </li>
                  ))}
                </ul>
              </>
            )
          }}
        </Loaded>
      </Section>
      <p className="mt-4 text-small">
        <Link to={`/activity/${run}`}>{words.panel.open}</Link>
      </p>
    </>
  )
}
