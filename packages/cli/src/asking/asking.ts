/**
 * Owns how a command asks a person. Every question of a command passes here, but for those about an approval, which
 * keep their own careful prompts. Refuses to ask where nobody can answer, and says what to give instead: a command in a
 * pipe never hangs.
 */
import { CountersignError } from '@countersign/contract'
import type { Context } from '../context.ts'
import type { Asking } from './question.ts'
import { askByLines } from './typed.ts'

type AskContext = Pick<Context, 'host' | 'interactive' | 'redraws' | 'paint' | 'say' | 'rest'>

export async function asking(context: AskContext): Promise<Asking> {
  if (!context.interactive) return refusing
  context.rest()
  if (!context.redraws) return askByLines(context)
  // Loaded where somebody is asked: no other command should wait for it.
  const { askDrawn } = await import('./drawn.ts')
  return askDrawn(context)
}

const refusing: Asking = {
  text: refuse,
  choice: refuse,
  several: refuse,
  agreement: refuse,
}

function refuse({ message, instead }: { readonly message: string; readonly instead: string }): never {
  throw new CountersignError('usage', `Nobody can be asked here: ${message}`, { next: instead })
}
