/** `countersign limits`: every number that work is held to, and how some of them are changed. */
import type { LimitGroup } from '@countersign/contract'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'

export const limits: Handler = async (context) => {
  const groups = await (await context.gateway()).client.limits()
  return done({ groups }, () => groups.map((group) => groupText(group, context.paint)).join('\n\n'))
}

function groupText(
  { name, change, limits: values }: LimitGroup,
  paint: (style: 'strong', text: string) => string,
): string {
  return [
    paint('strong', line(name)),
    indent(columns(values.map((each) => [line(each.name), figure(each.name, each.value)]))),
    ...(change === null ? [] : [`  Change it with ${line(change)}.`]),
  ].join('\n')
}

/** A length of time is told as people say it. */
function figure(name: string, value: number): string {
  if (!name.endsWith('Ms')) return value.toLocaleString('en')
  if (value % 3_600_000 === 0) return `${value / 3_600_000} h`
  if (value % 60_000 === 0) return `${value / 60_000} min`
  return `${value / 1_000} s`
}
