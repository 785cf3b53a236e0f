/** The list of the inbox: what waits, by task and urgency, with what belongs together in one row. */

import type { ApprovalView, DecidedLive } from '@countersign/contract'
import { useSessions } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  Button,
  Checkbox,
  chainWords,
  Row,
  Safe,
  Select,
  TierChip,
  Time,
  useGrowing,
  useNow,
} from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { words } from '../../words/approvals.tsx'
import { words as common } from '../../words/common.ts'
import { type ApprovalGroup, tasksOf, toolOf } from './groups.ts'
import type { OpenGroups } from './open-groups.ts'
import type { Selection } from './selection.ts'

/** The tiers that anything is asked about in. */
const asked = [1, 2, 3, 4] as const

type Selectable = Pick<Selection, 'ids' | 'toggle'>

export function ApprovalList({
  groups,
  current,
  selection,
  openGroups,
}: {
  groups: readonly ApprovalGroup[]
  current: string | null
  selection: Selectable
  openGroups: OpenGroups
}) {
  const { shown, more } = useGrowing(groups, ({ approvals }) => holds(approvals, current))
  const row = (group: ApprovalGroup, isOfTask: boolean) => (
    <li key={group.key}>
      <GroupRow
        group={group}
        isOfTask={isOfTask}
        current={current}
        selection={selection}
        openGroups={openGroups}
      />
    </li>
  )
  return (
    <>
      <ul aria-label={words.list}>
        {tasksOf(shown).map((task) => {
          const [first, ...others] = task.groups
          if (first === undefined) return null
          if (others.length === 0) return row(first, false)
          return (
            <li key={task.session} className="mb-3 border-b border-line pb-3">
              <TaskHeading groups={task.groups} />
              <ul>{task.groups.map((group) => row(group, true))}</ul>
            </li>
          )
        })}
      </ul>
      {more}
    </>
  )
}

/** Said once for all that the task asks. */
function TaskHeading({ groups }: { groups: readonly ApprovalGroup[] }) {
  const [first] = groups.flatMap(({ approvals }) => approvals)
  const title = useTitle(first?.session)
  if (first === undefined) return null
  const count = groups.reduce((sum, { approvals }) => sum + approvals.length, 0)
  return (
    <div className="mt-2 px-3 pt-2">
      <h2 className="truncate text-small font-semibold">
        <Safe text={title === '' ? fromWords(first) : title} />
      </h2>
      <p className="text-small text-ink-3">
        {words.waiting(count)} · <Safe text={fromWords(first)} />
      </p>
    </div>
  )
}

function GroupRow({
  group,
  isOfTask,
  current,
  selection,
  openGroups,
}: {
  group: ApprovalGroup
  /** Stands under the heading of its task. */
  isOfTask: boolean
  current: string | null
  selection: Selectable
  openGroups: OpenGroups
}) {
  const open = openGroups.has(group.key)
  const [first] = group.approvals
  if (first === undefined) return null
  if (group.approvals.length === 1)
    return (
      <ApprovalRow
        approval={first}
        isOfTask={isOfTask}
        current={current === first.code}
        selection={selection}
      />
    )
  const holdsCurrent = holds(group.approvals, current)
  return (
    <>
      <div className="flex items-start">
        <Picker ids={group.approvals.map(({ id }) => id)} label={first.card.headline} selection={selection} />
        <div className="min-w-0 flex-1">
          <Row to={`/approvals/${first.code}`} current={holdsCurrent && !open}>
            <Head approval={first} />
            <p className="mt-0.5 font-medium">
              <Safe text={first.card.headline} />
            </p>
            <p className="text-small text-ink-2">
              {words.row.more(group.approvals.length - 1)} <Safe text={toolOf(first)} />
            </p>
          </Row>
        </div>
      </div>
      <div className="ps-8">
        <Button
          variant="quiet"
          size="small"
          aria-expanded={open}
          onClick={() => openGroups.toggle(group.key)}
        >
          {open ? words.row.showOne : words.row.showAll(group.approvals.length)}
        </Button>
        {open ? <Members approvals={group.approvals} current={current} selection={selection} /> : null}
      </div>
    </>
  )
}

function Members({
  approvals,
  current,
  selection,
}: {
  approvals: readonly ApprovalView[]
  current: string | null
  selection: Selectable
}) {
  const { shown, more } = useGrowing(approvals, ({ code }) => code === current)
  return (
    <>
      {shown.map((approval) => (
        <ApprovalRow
          key={approval.id}
          approval={approval}
          isOfTask
          current={current === approval.code}
          selection={selection}
        />
      ))}
      {more}
    </>
  )
}

const holds = (approvals: readonly ApprovalView[], code: string | null): boolean =>
  approvals.some((each) => each.code === code)

function ApprovalRow({
  approval,
  isOfTask,
  current,
  selection,
}: {
  approval: ApprovalView
  isOfTask: boolean
  current: boolean
  selection: Selectable
}) {
  return (
    <div className="flex items-start">
      <Picker ids={[approval.id]} label={approval.card.headline} selection={selection} />
      <div className="min-w-0 flex-1">
        <Row to={`/approvals/${approval.code}`} current={current}>
          <Head approval={approval} />
          <p className="mt-0.5 font-medium">
            <Safe text={approval.card.headline} />
          </p>
          {/* One line, also when the title of the conversation comes later: no row may move under a thumb. */}
          <p className="flex text-small whitespace-pre text-ink-2">
            {isOfTask ? null : <For approval={approval} />}
            <span className="shrink-0">
              {words.row.asked} <Time at={approval.createdAt} />
              {approval.replaces === null ? null : words.row.edited}
            </span>
          </p>
        </Row>
      </div>
    </div>
  )
}

/** Who asks, by the links that led to the call, then what for: a long title hides none of them. */
function For({ approval }: { approval: ApprovalView }) {
  const title = useTitle(approval.session)
  const texts = [fromWords(approval), title].filter((text) => text !== '')
  if (texts.length === 0) return null
  return (
    <>
      <Safe className="truncate" text={texts.join(' · ')} />
      {' · '}
    </>
  )
}

function useTitle(session: string | undefined): string {
  return useSessions().data?.find(({ id }) => id === session)?.title ?? ''
}

function fromWords({ card }: ApprovalView): string {
  return card.chain
    .filter(({ kind }) => kind !== 'run' && kind !== 'tool')
    .map(chainWords)
    .join(' › ')
}

function Head({ approval }: { approval: ApprovalView }) {
  const now = useNow()
  return (
    <div className="flex items-center justify-between gap-2">
      <TierChip tier={approval.card.tier} />
      <span className="text-small text-ink-3">
        {approval.card.tier === 4 ? words.row.needsPasskey : leftWords(approval.expiresAt, now)}
      </span>
    </div>
  )
}

/** The highest tier is never decided with others. */
function Picker({ ids, label, selection }: { ids: readonly string[]; label: string; selection: Selectable }) {
  return (
    <div className="pt-2.5 ps-1">
      <Checkbox
        label={<span className="sr-only">{words.row.select(label)}</span>}
        checked={ids.every((id) => selection.ids.has(id))}
        onChange={() => selection.toggle(ids)}
      />
    </div>
  )
}

export function Decided({ decided }: { decided: readonly DecidedLive[] }) {
  if (decided.length === 0) return null
  return (
    <details className="mt-4 px-3">
      <summary className="target cursor-default text-small text-ink-3">
        {words.decided.count(decided.length)}
      </summary>
      <ul className="mt-1">
        {decided.map((each) => (
          <li key={each.id}>
            <Row to={`/approvals/${each.id}`} current={false}>
              <span className="block">
                <Safe text={each.headline} />
              </span>
              <span className="text-small text-ink-2">
                <Safe text={common.decidedBy[each.state](each.by)} />, <Time at={each.at} />
              </span>
            </Row>
          </li>
        ))}
      </ul>
    </details>
  )
}

export function Filters({ approvals }: { approvals: readonly ApprovalView[] }) {
  const route = useRoute()
  const tools = [...new Set(approvals.map(toolOf))].toSorted()
  const chosen = (name: string) => route.search[name] ?? ''
  return (
    <div className="flex gap-2">
      <Select
        label={words.filter.tier}
        hideLabel
        value={chosen('tier')}
        options={[
          ['', words.filter.everyTier],
          ...asked.map((tier) => [String(tier), common.tier.names[tier]] as const),
        ]}
        onChange={(event) => route.ask({ tier: event.target.value || undefined })}
      />
      <Select
        label={words.filter.tool}
        hideLabel
        value={chosen('tool')}
        options={[['', words.filter.everyTool], ...tools.map((tool): [string, string] => [tool, tool])]}
        onChange={(event) => route.ask({ tool: event.target.value || undefined })}
      />
    </div>
  )
}
