/** What was revoked, and statements that nobody believed. */
import type { DeviceList } from '@countersign/contract'
import { Safe, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { useNodes } from './node-queries.ts'

export function PutOut({ list }: { list: DeviceList }) {
  const nodes = useNodes().data?.nodes ?? []
  const out = [
    ...list.devices.map(({ id, name, revokedAt }) => ({ id, name, revokedAt, said: words.revokedDevice })),
    ...nodes.map(({ id, name, revokedAt }) => ({ id, name, revokedAt, said: words.revokedNode })),
    ...list.passkeys.map(({ credential, name, revokedAt }) => ({
      id: credential,
      name,
      revokedAt,
      said: words.revokedPasskey,
    })),
  ].filter(({ revokedAt }) => revokedAt !== null)
  if (out.length === 0 && list.problems.length === 0) return null
  return (
    <div className="space-y-3">
      {list.problems.length === 0 ? null : (
        <Sheet className="border-bad!">
          <p className="font-medium">{words.problems(list.problems.length)}</p>
          <ul className="mt-1 list-disc ps-5 text-small text-ink-2">
            {list.problems.map((problem) => (
              <li key={problem}>
                <Safe text={problem} />
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {out.length === 0 ? null : (
        <details>
          <summary className="target text-small font-medium text-ink-2">
            {words.revokedCount(out.length)}
          </summary>
          <ul className="mt-1 space-y-0.5 text-small text-ink-2">
            {out.map(({ id, name, revokedAt, said }) => (
              <li key={id}>{said(<Safe text={name} />, <Time at={revokedAt} />)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
