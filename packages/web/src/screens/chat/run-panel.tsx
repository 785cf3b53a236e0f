/** The run beside the conversation: where it stands, what happened in order, what it cost and what it was shown. */
import { type LiveState, type RunId, runStatus, type SessionId } from '@countersign/contract'
import { useClient } from '../../app/services.tsx'
import { useGateway, useRun } from '../../data/queries.ts'
import { Chip, Facts, Link, Loaded, Meter, Money, Section, useNow } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { runTone } from '../../thread/run-tone.ts'
import { standingWords } from '../../thread/standing-words.ts'
import { Steps } from '../../thread/steps.tsx'

export function RunPanel({ state, session }: { state: LiveState; session: SessionId }) {
  const run = state.threads[session]?.run ?? null
  return (
    <aside aria-label="This run" className="h-full overflow-y-auto border-s border-line px-4 py-4">
      {run === null ? (
        <p className="text-small text-ink-3">No run yet.</p>
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
        <h2 className="text-base">This run</h2>
        {word === null ? null : <Chip tone={runTone(word)}>{word}</Chip>}
      </div>
      {live && standingWords(live) !== null ? (
        <p className="mt-1 text-small text-ink-2">{standingWords(live)}</p>
      ) : null}
      {live ? (
        <p className="mt-1 text-small text-ink-3">
          {lengthWords(Math.max(0, end.getTime() - Date.parse(live.startedAt) - live.waitedMs))} of its own
          time
        </p>
      ) : null}
      <Section title="What happened">
        <Steps items={state.threads[session]?.items.filter((item) => item.run === run) ?? []} />
      </Section>
      <Section title="Cost">
        <Loaded query={detail}>
          {({ run: view }) => (
            <Facts
              rows={[
                ['Spent', <Money key="cost" usd={view.costUsd} />],
                ['Turns', String(view.turns)],
                ['Calls', String(view.calls)],
                ['Agent', view.agent],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Context">
        <Loaded query={prompt}>
          {({ sections, tools, model }) => {
            const total = sections.reduce((sum, { length }) => sum + length, 0)
            return (
              <>
                <p className="text-small text-ink-2">
                  {model}, {tools.has} tools, {tools.shown.length} shown from the start
                </p>
                <ul className="mt-2 space-y-1.5">
                  {sections.map(({ name, length }) => (
                    <li key={name}>
                      <Meter label={name} value={length} of={total} words={`${String(length)} characters`} />
                    </li>
                  ))}
                </ul>
              </>
            )
          }}
        </Loaded>
      </Section>
      <p className="mt-4 text-small">
        <Link to={`/activity/${run}`}>Open the run: timeline, graph, raw, replay</Link>
      </p>
    </>
  )
}
