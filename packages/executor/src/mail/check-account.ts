/** Signs in at both servers of an account, and changes nothing. */
import type { Failure } from '@countersign/tools'
import { type SessionParts, withImap } from './imap-session.ts'
import type { MailLogin } from './mail-login.ts'
import { withSmtp } from './smtp-session.ts'

export async function checkAccount(
  login: MailLogin,
  parts: SessionParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'checked'; readonly folders: readonly string[] } | Failure> {
  const read = await withImap(login, parts, signal, async (client) => ({
    kind: 'checked' as const,
    folders: (await client.list()).slice(0, 100).map(({ path }) => path),
  }))
  if (read.kind === 'failed') return read
  const signedIn = await withSmtp(login, parts, signal, async () => ({ kind: 'in' as const }))
  if (signedIn.kind === 'in') return read
  return { kind: 'failed', reason: `Reading works, sending does not: ${signedIn.reason}` }
}
