/** What was sent in a channel and what became of it. Answers that were held come first: they wait for a decision. */
import type { DeliveryView } from '@countersign/contract'
import {
  Check,
  CircleAlert,
  CircleHelp,
  CirclePause,
  CircleSlash,
  Clock,
  type LucideIcon,
  Send,
  TimerOff,
} from 'lucide-react'
import { useId } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  ApproveButton,
  Button,
  Chip,
  EmptyState,
  Loaded,
  Mono,
  Safe,
  SafeBlock,
  Section,
  Select,
  Sheet,
  Time,
  type Tone,
  useAct,
  useGrowing,
} from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { logViewIn, logViews, shownInLog } from './log-filter.ts'

const lookEveryMs = 10_000

const marks: Readonly<Record<DeliveryView['state'], { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  waiting: { icon: Clock, tone: 'waiting' },
  sending: { icon: Send, tone: 'waiting' },
  sent: { icon: Check, tone: 'ok' },
  unknown: { icon: CircleHelp, tone: 'bad' },
  expired: { icon: TimerOff, tone: 'plain' },
  refused: { icon: CircleAlert, tone: 'bad' },
  held: { icon: CirclePause, tone: 'waiting' },
  dropped: { icon: CircleSlash, tone: 'plain' },
  aside: { icon: CircleAlert, tone: 'bad' },
}

const useDeliveries = (channel: string) =>
  useGateway(['channels', channel, 'deliveries'], (client) => client.deliveries(channel), {
    everyMs: lookEveryMs,
  })

export function HeldAnswers({ channel, online }: { channel: string; online: boolean }) {
  const { data = [] } = useDeliveries(channel)
  return <Held rows={data.filter(({ state }) => state === 'held')} online={online} />
}

export function DeliveryLog({ channel }: { channel: string }) {
  const deliveries = useDeliveries(channel)
  const { search, ask } = useRoute()
  const view = logViewIn(search['show'])
  return (
    <Section
      title={words.log.title}
      level={2}
      aside={
        <Select
          label={words.log.show}
          hideLabel
          options={logViews.map((each) => [each, words.log.shown[each]] as const)}
          value={view}
          onChange={({ target }) => ask({ show: target.value === 'all' ? undefined : target.value })}
        />
      }
    >
      <Loaded
        query={deliveries}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState sentence={words.log.none} />}
      >
        {(rows) => <Log rows={shownInLog(rows, view)} />}
      </Loaded>
    </Section>
  )
}

function Held({ rows, online }: { rows: readonly DeliveryView[]; online: boolean }) {
  const id = useId()
  const { shown, more } = useGrowing(rows)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id} className="mb-8">
      <h2 id={id} className="mb-1">
        {words.held.title(rows.length)}
      </h2>
      <p className="mb-2 max-w-prose text-ink-2">{words.held.about}</p>
      <ul className="space-y-3">
        {shown.map((delivery) => (
          <li key={delivery.id}>
            <HeldCard delivery={delivery} online={online} />
          </li>
        ))}
      </ul>
      {more}
    </section>
  )
}

function HeldCard({ delivery, online }: { delivery: DeliveryView; online: boolean }) {
  const { act, isBusy } = useAct([['channels']])
  const settle = (send: boolean) => () =>
    void act(
      (client) => client.settleDelivery(delivery.id, send),
      send ? words.held.sent : words.held.dropped,
    )
  return (
    <Sheet className="border-edge!">
      <Heading delivery={delivery} />
      <SafeBlock text={delivery.text} className="mt-1.5 break-words" />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={isBusy} disabled={!online} onClick={settle(false)}>
          {words.held.drop}
        </Button>
        <ApproveButton busy={isBusy} disabled={!online} onClick={settle(true)}>
          {words.held.send}
        </ApproveButton>
      </div>
    </Sheet>
  )
}

function Log({ rows }: { rows: readonly DeliveryView[] }) {
  const { shown, more } = useGrowing(rows)
  if (rows.length === 0) return <p className="text-ink-2">{words.log.noneSuch}</p>
  return (
    <Sheet padded={false}>
      <ul aria-label={words.log.title}>
        {shown.map((delivery) => (
          <li key={delivery.id} className="border-t border-line px-4 py-2.5 first:border-t-0">
            <Heading delivery={delivery} />
            <SafeBlock text={delivery.text} className="mt-0.5 line-clamp-3 break-words text-ink-2" />
            <Troubles delivery={delivery} />
          </li>
        ))}
      </ul>
      {more}
    </Sheet>
  )
}

function Heading({ delivery }: { delivery: DeliveryView }) {
  const { state, kind, chat, at } = delivery
  const { icon: Icon, tone } = marks[state]
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-3">
      <Chip tone={tone}>
        <Icon size={13} strokeWidth={2} aria-hidden />
        {words.log.states[state]}
      </Chip>
      <span className="text-ink-2">{words.log.kinds[kind]}</span>
      <span className="min-w-0">{words.log.to(<Mono text={chat} className="break-all" />)}</span>
      <span className="ms-auto">
        <Time at={at} />
      </span>
    </p>
  )
}

function Troubles({ delivery }: { delivery: DeliveryView }) {
  const { state, problem, attempts } = delivery
  return (
    <div className="mt-0.5 text-small text-ink-2 empty:hidden">
      {problem === null ? null : (
        <p className="break-words text-bad">
          <Safe text={problem} />
          {attempts > 1 ? ` (${words.log.tried(attempts)})` : ''}
        </p>
      )}
      {state === 'unknown' ? <p>{words.log.unknownAbout}</p> : null}
      {state === 'aside' ? <p>{words.log.asideAbout}</p> : null}
    </div>
  )
}
