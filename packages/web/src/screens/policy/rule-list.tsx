/** Rules as sentences, each with its reason and where it stands. */

import type { PolicyRuleView } from '@countersign/contract'
import { Chip, Mono, Safe, Sheet } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'

const tones = { allow: 'ok', ask: 'waiting', refuse: 'bad' } as const

export function RuleList({ rules }: { rules: readonly PolicyRuleView[] }) {
  return (
    <Sheet padded={false}>
      <ul>
        {rules.map((rule) => (
          <li key={`${rule.file}:${rule.line}`} className="border-t border-line px-4 py-3 first:border-t-0">
            <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
              <Chip tone={tones[rule.effect]}>{words.inForce.effects[rule.effect]}</Chip>
              <span className="min-w-[min(100%,16rem)] flex-1">
                <Safe text={rule.sentence} />
              </span>
            </p>
            <p className="mt-0.5 flex flex-wrap gap-x-3 text-small text-ink-3">
              {rule.why === '' ? null : <Safe text={rule.why} className="text-ink-2" />}
              <Mono text={`${rule.file}:${rule.line}`} />
            </p>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
