/** Signs in at both servers of an account, and changes nothing. */
import type { Failure } from '@countersign/tools'
import { type MailLogin, type SessionParts, withImap } from './imap-session.ts'
import { smtpTransport } from './send-mail.ts'
import { serverAddress } from './server-address.ts'

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
  const { smtp, address } = login.account
  const at = await serverAddress(smtp, parts, signal)
  if (at.kind === 'failed') return at
  const transport = smtpTransport(login, at, parts)
  try {
    await transport.verify()
    return read
  } catch (error) {
    const said = (error instanceof Error ? error.message : String(error)).slice(0, 500)
    return {
      kind: 'failed',
      reason: `Reading works. ${smtp.host}:${smtp.port} does not let ${address} send: ${said}`,
    }
  } finally {
    transport.close()
  }
}
