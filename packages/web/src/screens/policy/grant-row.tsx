/** One grant: what it allows, where it came from, where it holds, how long and how often. */
import type { GrantView } from '@countersign/contract'
import {
  Button,
  Checkbox,
  Chip,
  classes,
  Link,
  Mono,
  Safe,
  Time,
  type Tone,
  useNow,
} from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { allows, breadth, isUnused, whereWords } from './grants.ts'

export interface GrantRowProps {
  readonly grant: GrantView
  readonly current: boolean
  readonly picked: boolean
  readonly busy: boolean
  readonly online: boolean
  readonly onPick: () => void
  readonly onRevoke: () => void
}

export const grantRowId = (id: string) => `grant-${id}`

export function GrantRow({ grant, current, picked, busy, online, onPick, onRevoke }: GrantRowProps) {
  const now = useNow(60_000)
  const isActive = grant.state === 'active'
  const wide = breadth(grant)
  return (
    <li
      id={grantRowId(grant.id)}
      className={classes(
        'flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0',
        current && 'bg-act-soft/50',
      )}
      aria-current={current ? 'true' : undefined}
    >
      {isActive ? (
        <Checkbox
          label={<span className="sr-only">Keep: {grant.sentence}</span>}
          checked={picked}
          onChange={onPick}
        />
      ) : null}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
          <p className="min-w-[min(100%,18rem)] flex-1">
            <Allowed sentence={grant.sentence} tool={grant.tool} />
          </p>
          <div className="flex flex-wrap gap-1.5">
            {isActive && isUnused(grant, now) ? <Chip tone="waiting">unused 30 days</Chip> : null}
            {isActive && wide.word === 'broad' ? <Chip tone="bad">broad</Chip> : null}
            {isActive ? null : <Chip tone={stateTones[grant.state]}>{stateWords[grant.state]}</Chip>}
          </div>
        </div>
        <dl className="mt-1.5 grid gap-x-5 gap-y-0.5 text-small sm:flex sm:flex-wrap">
          <Term name="From">
            {grant.approval === null ? (
              'the calls of a plan'
            ) : (
              <Link to={`/approvals/${grant.approval}`}>an approval</Link>
            )}
            {', '}
            <Time at={grant.createdAt} />
          </Term>
          <Term name="Covers">{wide.covers}</Term>
          <Term name="Where">
            <Where grant={grant} />
          </Term>
          <Term name="Ends">
            {isActive ? (
              <span title={new Date(grant.expiresAt).toLocaleString()}>
                in {leftWords(grant.expiresAt, now)}
              </span>
            ) : (
              <Time at={grant.expiresAt} />
            )}
          </Term>
          <Term name="Used">
            {grant.maxUses === null ? `${grant.uses} times` : `${grant.uses} of ${grant.maxUses} times`}
            {grant.lastUsedAt === null ? null : (
              <>
                , last <Time at={grant.lastUsedAt} />
              </>
            )}
          </Term>
        </dl>
      </div>
      {isActive ? (
        <Button
          disabled={!online}
          busy={busy}
          onClick={onRevoke}
          {...(current ? { keys: 'r' } : {})}
          aria-label={`Revoke: ${grant.sentence}`}
        >
          Revoke
        </Button>
      ) : null}
    </li>
  )
}

const stateWords = { active: 'holds', revoked: 'revoked', expired: 'expired', used: 'used up' } as const
const stateTones: Readonly<Record<GrantView['state'], Tone>> = {
  active: 'ok',
  revoked: 'plain',
  expired: 'plain',
  used: 'plain',
}

/** The tool in exact type, what it may do beside it. */
export function Allowed({ sentence, tool }: { sentence: string; tool: string }) {
  const said = allows(sentence)
  const named = said.startsWith(`${tool}: `)
  return (
    <>
      {named ? <Mono text={tool} className="me-1.5" /> : null}
      <Safe text={named ? said.slice(tool.length + 2) : said} className="font-medium" />
    </>
  )
}

function Where({ grant }: { grant: GrantView }) {
  const words = whereWords(grant)
  const to =
    grant.run !== null
      ? `/activity/${grant.run}`
      : grant.session !== null
        ? `/chat/${grant.session}`
        : grant.goal !== null
          ? `/goals/${grant.goal}`
          : null
  if (to !== null) return <Link to={to}>{words}</Link>
  return <Safe text={words} />
}

function Term({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 text-ink-2">{children}</dd>
    </div>
  )
}
