/** One grant: what it allows, where it came from, where it holds, how long and how often. */

import type { GrantView } from '@countersign/contract'
import { allowedPart, warningPart } from '../../deciding/grant-sentence.ts'
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
import { exactWords, leftWords } from '../../language/format.ts'
import { words } from '../../words/policy.tsx'
import { breadth, isUnused, whereWords } from './grants.ts'

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
          label={<span className="sr-only">{words.row.select(grant.sentence)}</span>}
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
            {isActive && isUnused(grant, now) ? <Chip tone="waiting">{words.row.unused}</Chip> : null}
            {isActive && wide.word === 'broad' ? <Chip tone="bad">{words.row.broad}</Chip> : null}
            {isActive ? null : <Chip tone={stateTones[grant.state]}>{words.row.states[grant.state]}</Chip>}
          </div>
        </div>
        {grant.untrusted ? <Warning sentence={grant.sentence} /> : null}
        <dl className="mt-1.5 grid gap-x-5 gap-y-0.5 text-small sm:flex sm:flex-wrap">
          <Term name={words.row.from}>
            {grant.approval === null ? (
              words.row.fromPlan
            ) : (
              <Link to={`/approvals/${grant.approval}`}>{words.row.fromApproval}</Link>
            )}
            {', '}
            <Time at={grant.createdAt} />
          </Term>
          <Term name={words.row.covers}>{wide.covers}</Term>
          <Term name={words.row.where}>
            <Where grant={grant} />
          </Term>
          <Term name={words.row.ends}>
            {isActive ? (
              <span title={exactWords(new Date(grant.expiresAt))}>
                {words.row.endsIn(leftWords(grant.expiresAt, now))}
                {grant.unusedEndsAt < grant.expiresAt
                  ? words.row.orUnused(leftWords(grant.unusedEndsAt, now))
                  : null}
              </span>
            ) : (
              <Time at={grant.expiresAt} />
            )}
          </Term>
          <Term name={words.row.used}>
            {grant.maxUses === null
              ? words.row.times(grant.uses)
              : words.row.timesOf(grant.uses, grant.maxUses)}
            {grant.lastUsedAt === null ? null : words.row.last(<Time at={grant.lastUsedAt} />)}
          </Term>
        </dl>
      </div>
      {isActive ? (
        <Button
          disabled={!online}
          busy={busy}
          onClick={onRevoke}
          {...(current ? { keys: 'r' } : {})}
          aria-label={words.row.revoke(grant.sentence)}
        >
          {words.revoke}
        </Button>
      ) : null}
    </li>
  )
}

const stateTones: Readonly<Record<GrantView['state'], Tone>> = {
  active: 'ok',
  revoked: 'plain',
  expired: 'plain',
  used: 'plain',
  unused: 'plain',
}

/** The tool in exact type, what it may do beside it. */
export function Allowed({ sentence, tool }: { sentence: string; tool: string }) {
  const said = allowedPart(sentence)
  const named = said.startsWith(`${tool}: `)
  return (
    <>
      {named ? <Mono text={tool} className="me-1.5" /> : null}
      <Safe text={named ? said.slice(tool.length + 2) : said} className="font-medium" />
    </>
  )
}

/** What strangers can do with it. */
export function Warning({ sentence }: { sentence: string }) {
  return (
    <p className="mt-0.5 text-small text-bad">
      <Safe text={warningPart(sentence)} />
    </p>
  )
}

function Where({ grant }: { grant: GrantView }) {
  const where = whereWords(grant)
  const to =
    grant.run !== null
      ? `/activity/${grant.run}`
      : grant.session !== null
        ? `/chat/${grant.session}`
        : grant.goal !== null
          ? `/goals/${grant.goal}`
          : null
  if (to !== null) return <Link to={to}>{where}</Link>
  return <Safe text={where} />
}

function Term({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 text-ink-2">{children}</dd>
    </div>
  )
}
