/** Owns one signed-in connection to an IMAP server, bounded in time and size, and closed whatever happens. */
import { isIP } from 'node:net'
import type { MailAccount } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import { ImapFlow } from 'imapflow'
import { type AddressParts, serverAddress } from './server-address.ts'

export interface SessionParts extends AddressParts {
  /** Certificates besides those of this computer, for tests. */
  readonly ca?: string | undefined
}

export interface MailLogin {
  readonly account: MailAccount
  readonly password: string
}

/** In bytes. */
export const largestMail = 25_000_000
const connectMs = 20_000

export async function withImap<Result>(
  { account, password }: MailLogin,
  parts: SessionParts,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result | Failure> {
  const { imap, user } = account
  const found = await serverAddress(imap, parts, signal)
  if (found.kind === 'failed') return found
  const client = new ImapFlow({
    host: found.address,
    port: imap.port,
    secure: imap.security === 'tls',
    // Said outright, so that a server cannot talk us out of it.
    doSTARTTLS: imap.security === 'starttls',
    ...(isIP(found.name) === 0 ? { servername: found.name } : {}),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(parts.ca ? { ca: parts.ca } : {}) },
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    clientInfo: { name: 'countersign' },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: 60_000,
    maxLineLength: 4_000_000,
    maxLiteralSize: largestMail + 1_000_000,
    maxResponseSize: largestMail + 8_000_000,
  })
  // What breaks later is told by the command that waits for it.
  client.on('error', () => undefined)
  const stop = (): void => client.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    return await work(client)
  } catch (error) {
    return { kind: 'failed', reason: signal.aborted ? 'It was cancelled.' : imapProblem(error, account) }
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

function imapProblem(error: unknown, { address, imap, name }: MailAccount): string {
  const { authenticationFailed, responseText, message, code } = error as {
    authenticationFailed?: boolean
    responseText?: string
    message?: string
    code?: string
  }
  if (authenticationFailed === true)
    return `${imap.host} did not accept the password of ${address}. Set it again with \`countersign mail add ${name}\`; many providers want an app password.`
  const said = responseText ?? message ?? String(error)
  return `${imap.host}:${imap.port} could not be used${code === undefined ? '' : ` (${code})`}: ${said.slice(0, 500)}`
}
