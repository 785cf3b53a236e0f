/**
 * Owns what a program's changes count for beyond the changes themselves. Nobody wrote them down beforehand, so what
 * cannot be seen from the files that are left asks, and so does any of it where nobody is there. Pure.
 */
import { changesTaker, type Effect, type Tier } from '@countersign/contract'

export interface ProgramRaise {
  readonly floor: Tier
  readonly why: string
}

export function raisesOfProgram(call: {
  readonly tool: { readonly name: string }
  readonly effects: readonly Effect[]
  readonly unattended?: boolean | undefined
}): ProgramRaise[] {
  if (call.tool.name !== changesTaker) return []
  const removes = call.effects.some(({ verb }) => verb === 'delete')
  return [
    ...(removes ? [{ floor: 2, why: 'a program removed what was there before' } as const] : []),
    ...(call.unattended === true
      ? [{ floor: 2, why: 'nobody was watching the program that did this' } as const]
      : []),
  ]
}
