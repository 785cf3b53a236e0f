/** Owns the faults of Cedar rules that stand as text in a source file. A rule is code too. */
import type { Change } from './changes.ts'

const faults: readonly { readonly kind: string; readonly found: RegExp; readonly to: string }[] = [
  { kind: 'rule logic', found: /&&/g, to: '||' },
  { kind: 'rule logic', found: /\|\|/g, to: '&&' },
  { kind: 'rule operator', found: />=/g, to: '>' },
  { kind: 'rule operator', found: /<=/g, to: '<' },
  { kind: 'rule operator', found: /(?<=context\.\w+ )==/g, to: '!=' },
  { kind: 'rule operator', found: /!=/g, to: '==' },
  { kind: 'rule negation', found: /!(?=context)/g, to: '' },
  { kind: 'rule effect', found: /^forbid(?= \()/gm, to: 'permit' },
  { kind: 'rule exception', found: /^unless \{[^}]*\}(?=;)/gm, to: '' },
  { kind: 'rule condition', found: /^when \{[^}]*\}/gm, to: 'when { false }' },
]

export function cedarChanges(source: string): Change[] {
  return [...source.matchAll(/text: `([^`]*)`/g)].flatMap((found) => {
    const begins = found.index + 'text: `'.length
    return ruleChanges(found[1] ?? '').map((change) => ({
      ...change,
      start: begins + change.start,
      end: begins + change.end,
    }))
  })
}

/** Comments and annotations decide nothing. */
function ruleChanges(rules: string): Change[] {
  return faults
    .flatMap(({ kind, found, to }) =>
      [...rules.matchAll(found)].map(({ index, 0: text }) => ({
        kind,
        start: index,
        end: index + text.length,
        to,
      })),
    )
    .filter(({ start }) => !/^\s*(\/\/|@)/.test(rules.slice(rules.lastIndexOf('\n', start - 1) + 1)))
}
