/** What may run without asking: every grant with its use, the ends of them, and what would spare questions. */

import type { GrantView } from '@countersign/contract'
import { useEffect, useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { useGrants } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { useLive } from '../../environment/services.tsx'
import {
  Button,
  ButtonLink,
  classes,
  EmptyState,
  Loaded,
  PlainLink,
  Sheet,
  useGrowing,
  useListKeys,
  useNow,
} from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { GrantRow, grantRowId } from './grant-row.tsx'
import { chosenGrants, grantCounts, pickedGrants, presetOf, presets } from './grants.ts'
import { PruneDialog } from './prune-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { useRevoking } from './revoking.ts'
import { Suggestions } from './suggestions.tsx'

export function GrantsTab() {
  const route = useRoute()
  const now = useNow(60_000)
  const online = useLive((live) => live.link.kind === 'live')
  const grants = useGrants()
  const { busy, revoke } = useRevoking()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [window, setWindow] = useState<'revoke' | 'prune' | null>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const preset = presetOf(route.search['show'])
  const all = grants.data ?? []
  const wanted = chosenGrants(all, preset, now)
  const { shown, more } = useGrowing(wanted, ({ id }) => id === current)
  const counts = grantCounts(all, now)
  const chosen = wanted.find(({ id }) => id === current)
  const pick = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    setPicked(next)
  }
  const end = (ended: readonly GrantView[]) => revoke(ended, () => setWindow(null))

  useEffect(() => {
    if (current !== null) document.getElementById(grantRowId(current))?.scrollIntoView({ block: 'nearest' })
  }, [current])
  useListKeys(words.title, {
    ids: wanted.map(({ id }) => id),
    current,
    onMove: setCurrent,
    onSelect: pick,
  })
  useKeys(words.title, [
    {
      keys: 'r',
      label: words.grants.keyRevoke,
      run: () => {
        if (chosen !== undefined && chosen.state === 'active' && online && !busy) revoke([chosen])
      },
    },
  ])

  return (
    <>
      <h2 className="sr-only">{words.tabs.grants}</h2>
      <p className="mb-4 max-w-prose text-ink-2">{words.grants.intro}</p>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <nav aria-label={words.grants.which} className="flex flex-wrap gap-1">
          {presets.map((each) => (
            <PlainLink
              key={each}
              to={route.href(['grants'], { show: each === 'active' ? undefined : each })}
              {...(each === preset ? { 'aria-current': 'true' as const } : {})}
              className={classes(
                'target inline-flex items-center gap-1.5 rounded-1 border px-2.5 py-1 text-small font-medium',
                each === preset
                  ? 'border-act bg-act-soft text-ink'
                  : 'border-line-strong bg-sheet text-ink-2 hover:border-edge',
              )}
            >
              {words.grants.presets[each]}
              {each === 'broadest' ? null : (
                <span className="text-ink-3">{grants.data === undefined ? '' : counts[each]}</span>
              )}
            </PlainLink>
          ))}
        </nav>
        <div className="ms-auto flex flex-wrap gap-2">
          <Button disabled={!online || counts.active === 0} onClick={() => setWindow('prune')}>
            {words.grants.revokeUnused}
          </Button>
          <Button disabled={!online || counts.active === 0} onClick={() => setWindow('revoke')}>
            {picked.size === 0 ? words.grants.revokeAll : words.grants.revokePicked(picked.size)}
          </Button>
        </div>
      </div>
      <Loaded
        query={grants}
        isEmpty={() => wanted.length === 0}
        empty={
          <EmptyState
            sentence={words.grants.empty[preset]}
            {...(preset === 'active'
              ? { action: <ButtonLink to="/approvals">{words.grants.openApprovals}</ButtonLink> }
              : {})}
          />
        }
      >
        {() => (
          <>
            <Sheet padded={false}>
              <ul aria-label={words.grants.presets[preset]}>
                {shown.map((grant) => (
                  <GrantRow
                    key={grant.id}
                    grant={grant}
                    current={grant.id === current}
                    picked={picked.has(grant.id)}
                    busy={busy}
                    online={online}
                    onPick={() => pick(grant.id)}
                    onRevoke={() => revoke([grant])}
                  />
                ))}
              </ul>
            </Sheet>
            {more}
            <p className="mt-2 text-small text-ink-3">{words.grants.tick}</p>
          </>
        )}
      </Loaded>
      <Suggestions />
      {window === 'revoke' ? (
        <RevokeDialog
          ended={pickedGrants(all, picked)}
          isAll={picked.size === 0}
          busy={busy}
          onClose={() => setWindow(null)}
          onRevoke={end}
        />
      ) : null}
      {window === 'prune' ? <PruneDialog onClose={() => setWindow(null)} /> : null}
    </>
  )
}
