/** One plan: what it does, where it stands, what waits for the operator, and how it is started, held and stopped. */
import { isPlanRunning, type PlanDetail, type PlanView } from '@countersign/contract'
import { Pause, Pencil, Play, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useGateway, useRun } from '../../../environment/queries.ts'
import { useRoute } from '../../../environment/route.ts'
import {
  Button,
  ButtonLink,
  Chip,
  type Column,
  FormDialog,
  Link,
  Loaded,
  Menu,
  Meter,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  shellWord,
  Table,
  Time,
  useAct,
  useCopyCommand,
} from '../../../kit/index.ts'
import { words as common } from '../../../words/common.ts'
import { words } from '../../../words/plans.tsx'
import { ComingSteps } from './coming-steps.tsx'
import { PlanGraph, stateTones } from './graph.tsx'
import { planTone } from './plan-row.tsx'
import { PlanTextDialog } from './plan-text.tsx'
import { StartDialog } from './start-dialog.tsx'

/** While it runs it is looked at often: a step that calls no tool has no event of its own. */
const everyMs = { running: 2_000, resting: 60_000 } as const

export function PlanPage({ plan }: { plan: PlanView }) {
  const detail = useGateway(['plans', plan.id], (client) => client.plan(plan.id), {
    everyMs: (last) => (isPlanRunning(last?.plan ?? plan) ? everyMs.running : everyMs.resting),
  })
  return <Loaded query={detail}>{(loaded) => <Plan detail={loaded} />}</Loaded>
}

function Plan({ detail }: { detail: PlanDetail }) {
  const { plan, problems, states } = detail
  const done = states.filter(({ state }) => state === 'done' || state === 'skipped').length
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <Chip tone={planTone(plan.status)}>{words.status[plan.status]}</Chip>
        <span>{words.version(plan.version)}</span>
        {plan.startedAt === null ? null : <span>{words.began(<Time at={plan.startedAt} />)}</span>}
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={plan.name} />
      </h2>
      {plan.goal === '' ? null : <SafeBlock text={plan.goal} className="mt-1 max-w-prose text-ink-2" />}
      {plan.result === '' ? null : <SafeBlock text={plan.result} className="mt-1 max-w-prose" />}
      <PlanActions plan={plan} canStart={problems.length === 0 && plan.steps.length > 0} />
      <Problems problems={problems} />
      {isPlanRunning(plan) && plan.run !== null ? <Gates plan={plan} run={plan.run} /> : null}
      {plan.startedAt === null ? null : (
        <div className="mt-5">
          <Meter
            label={words.progress}
            value={done}
            of={Math.max(plan.steps.length, 1)}
            words={words.progressOf(done, plan.steps.length)}
          />
        </div>
      )}
      <Section title={words.graph}>
        <PlanGraph detail={detail} />
      </Section>
      <ComingSteps detail={detail} />
      <Results detail={detail} />
    </article>
  )
}

function PlanActions({ plan, canStart }: { plan: PlanView; canStart: boolean }) {
  const [window, setWindow] = useState<'start' | 'edit' | 'delete' | null>(null)
  const close = () => setWindow(null)
  const running = isPlanRunning(plan)
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {running ? (
        <RunningButtons plan={plan} />
      ) : (
        <Button variant="go" icon={Play} disabled={!canStart} onClick={() => setWindow('start')}>
          {plan.startedAt === null ? words.actions.start : words.actions.again}
        </Button>
      )}
      {plan.session === null ? null : (
        <ButtonLink to={`/chat/${plan.session}`}>{words.actions.talk}</ButtonLink>
      )}
      {plan.run === null ? null : <ButtonLink to={`/activity/${plan.run}`}>{words.actions.run}</ButtonLink>}
      <MoreMenu plan={plan} disabled={running} onWindow={setWindow} />
      {window === 'start' ? <StartDialog plan={plan} onClose={close} /> : null}
      {window === 'edit' ? <PlanTextDialog plan={plan} onClose={close} /> : null}
      {window === 'delete' ? <DeleteDialog plan={plan} onClose={close} /> : null}
    </div>
  )
}

function RunningButtons({ plan: { id, status, run } }: { plan: PlanView }) {
  const { isBusy, act } = useAct([['plans']])
  return (
    <>
      {status === 'paused' ? (
        <Button
          icon={Play}
          busy={isBusy}
          onClick={() => void act((client) => client.resumePlan(id), words.said.resumed)}
        >
          {words.actions.resume}
        </Button>
      ) : (
        <Button
          icon={Pause}
          busy={isBusy}
          onClick={() => void act((client) => client.pausePlan(id), words.said.paused)}
        >
          {words.actions.pause}
        </Button>
      )}
      {run === null ? null : (
        <Button
          icon={Square}
          busy={isBusy}
          onClick={() => void act((client) => client.stopRun(run), words.said.stopped)}
        >
          {words.actions.stop}
        </Button>
      )}
    </>
  )
}

function MoreMenu({
  plan,
  disabled,
  onWindow,
}: {
  plan: PlanView
  disabled: boolean
  onWindow: (window: 'edit' | 'delete') => void
}) {
  const command = useCopyCommand()
  return (
    <Menu
      label={common.more}
      items={[
        { label: words.actions.edit, icon: Pencil, disabled, run: () => onWindow('edit') },
        { label: words.actions.delete, icon: Trash2, disabled, run: () => onWindow('delete') },
        command(`countersign plan show ${shellWord(plan.id)}`),
      ]}
    />
  )
}

function DeleteDialog({ plan, onClose }: { plan: PlanView; onClose: () => void }) {
  const route = useRoute()
  const { perform } = useAct([['plans', 'list']])
  const remove = () =>
    perform(async (client) => {
      await client.removePlan(plan.id)
      route.go(route.href(['plans']), { replace: true })
    }, words.said.deleted(plan.name))
  return (
    <FormDialog
      size="small"
      tone="danger"
      title={words.deleting.title(plan.name)}
      description={`${words.deleting.description} ${common.cannotBeUndone}`}
      submit={words.deleting.submit}
      onSubmit={remove}
      onClose={onClose}
    />
  )
}

function Problems({ problems }: { problems: PlanDetail['problems'] }) {
  if (problems.length === 0) return null
  return (
    <Section title={words.problems}>
      <Sheet className="border-bad">
        <ul className="space-y-2">
          {problems.map(({ step, problem, fix }) => (
            <li key={`${step ?? ''} ${problem}`}>
              <Safe text={step === null ? problem : `${step}: ${problem}`} className="font-medium" />
              <span className="block text-small text-ink-2">
                <Safe text={fix} />
              </span>
            </li>
          ))}
        </ul>
      </Sheet>
    </Section>
  )
}

/** Where it stands still until the operator has decided. */
function Gates({ plan, run }: { plan: PlanView; run: string }) {
  const { data } = useRun(run)
  const waiting = (data?.approvals ?? []).filter(({ state }) => state === 'pending')
  const asks = data?.run.parkedOn === 'question'
  if (waiting.length === 0 && !asks) return null
  return (
    <Section title={words.waiting}>
      <Sheet padded={false}>
        {waiting.map(({ code, card }) => (
          <div key={code} className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
            <Safe text={card.headline} className="min-w-0 flex-1" />
            <ButtonLink to={`/approvals/${code}`}>{words.review}</ButtonLink>
          </div>
        ))}
        {asks && plan.session !== null ? (
          <div className="px-4 py-2">
            <Link to={`/chat/${plan.session}`}>{words.answer}</Link>
          </div>
        ) : null}
      </Sheet>
    </Section>
  )
}

type StateRow = PlanDetail['states'][number]

const columns: readonly Column<StateRow>[] = [
  { title: words.columns.step, cell: ({ step }) => <Safe text={step} /> },
  {
    title: words.columns.state,
    cell: ({ state, attempts }) => (
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        <Chip tone={stateTones[state]}>{words.states[state]}</Chip>
        {attempts > 1 ? <span className="text-small text-ink-3">{words.attempt(attempts)}</span> : null}
      </span>
    ),
  },
  { title: words.columns.result, cell: ({ words: said }) => <Safe text={said} />, wide: true },
]

function Results({ detail: { states } }: { detail: PlanDetail }) {
  const told = states.filter(({ words: said }) => said !== '')
  if (told.length === 0) return null
  return (
    <Section title={words.result}>
      <Table caption={words.result} columns={columns} rows={told} keyOf={({ step }) => step} />
    </Section>
  )
}
