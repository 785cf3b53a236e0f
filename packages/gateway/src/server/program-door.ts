/**
 * Owns who is let in with a token. One that counts is always let in, so that nobody can lock a program out by failing in its
 * name. Pages of other origins were refused before.
 */
import { CountersignError } from '@countersign/contract'
import type { Context } from 'hono'
import type { Program } from '../programs/program-rows.ts'
import type { Programs } from '../programs/programs.ts'
import { bearerHash } from '../programs/token.ts'
import type { Env } from './route.ts'

export const mcpPath = '/mcp'

/** Where a program speaks with its token, and nobody by a signature. */
export const isProgramPath = (path: string): boolean => path.startsWith('/openai/') || path === mcpPath

export async function programOf(
  context: Context<Env>,
  programs: Pick<Programs, 'byToken'>,
): Promise<Program> {
  const hash = bearerHash(context.req.header('authorization'))
  const program = hash === undefined ? undefined : await programs.byToken(hash)
  if (program) return program
  throw new CountersignError('not_authenticated', 'This is no token of a program that is let in.', {
    next: 'Send `Authorization: Bearer cs_…`. The operator makes one with `countersign program add`.',
  })
}
