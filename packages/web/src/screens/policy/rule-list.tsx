/** Rules as sentences, each with its reason and where it stands. */

import type { PolicyRuleView } from '@countersign/contract'
import { Button, Chip, Mono, Safe, Sheet } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'

const tones = { allow: 'ok', ask: 'waiting', refuse: 'bad' } as const

export function RuleList({
  rules,
  onRemove,
}: {
  rules: readonly PolicyRuleView[]
  /** Takes it out of the draft, where that can be done here. */
  onRemove?: (rule: PolicyRuleView) => void
}) {
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
              {onRemove === undefined ? null : (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={words.inForce.removeRule(rule.sentence)}
                  onClick={() => onRemove(rule)}
                >
                  {words.inForce.remove}
                </Button>
              )}
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
