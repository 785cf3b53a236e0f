/** Owns the list of what causes prompts: by tool, rule and tier, the most frequent first. */
import { type AskedCall, destinationOf, promptsOf } from './prompts.ts'

export function causesOf(judged: readonly AskedCall[]): string[] {
  const prompts = promptsOf(judged.filter(({ judgement }) => judgement.kind === 'ask'))
  const groups = Map.groupBy(prompts, ([first]) =>
    first ? `${first.call.tool}  T${first.judgement.tier}  ${first.judgement.rules.join(' ')}` : '',
  )
  const order = [...groups].toSorted(([, left], [, right]) => right.length - left.length)
  return order.map(([cause, rows]) => {
    const calls = rows.flat()
    const needed = calls.filter(({ call }) => call.expected !== 'may-allow').length
    const targets = [...Map.groupBy(calls, ({ call }) => destinationOf(call))]
      .toSorted(([, left], [, right]) => right.length - left.length)
      .slice(0, 4)
      .map(([target, some]) => `${target} ×${some.length}`)
    return `${String(rows.length).padStart(4)} prompts  ${String(calls.length).padStart(4)} calls  ${String(needed).padStart(4)} needed  ${cause}\n        ${targets.join(', ')}`
  })
}
