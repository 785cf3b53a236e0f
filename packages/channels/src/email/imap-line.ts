/** Owns one signed-in connection to the mailbox, bounded in time and size. */
import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import { RejectedError } from '../frame/adapter.ts'
import type { EmailSettings } from './manifest.ts'

/** In bytes. What is larger is not read. */
export const largestMail = 25_000_000
const connectMs = 20_000

export interface ImapParts {
  readonly settings: EmailSettings
  readonly password: string
  readonly signal: AbortSignal
}

/** With the inbox open, to be read only. Throws `RejectedError` where the server does not let us in. */
export async function openImap({ settings, password, signal }: ImapParts): Promise<ImapFlow> {
  const { host, port, security } = settings.imap
  signal.throwIfAborted()
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    // Said outright, so that a server cannot talk us out of it.
    doSTARTTLS: security === 'starttls',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    auth: { user: settings.user ?? settings.address, pass: password },
    logger: false,
    disableCompression: true,
    clientInfo: { name: 'countersign' },
    // It says when something comes; the pause keeps short commands together.
    autoIdleDelay: 300,
    maxIdleTime: 4 * 60_000,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: 6 * 60_000,
    maxLineLength: 4_000_000,
    maxLiteralSize: largestMail + 1_000_000,
    maxResponseSize: largestMail + 8_000_000,
  })
  // What breaks is told by the command that waits for it, and by the end of the connection.
  client.on('error', () => undefined)
  const stop = (): void => client.close()
  signal.addEventListener('abort', stop, { once: true })
  client.once('close', () => signal.removeEventListener('abort', stop))
  try {
    await client.connect()
    await client.mailboxOpen('INBOX', { readOnly: true })
    return client
  } catch (error) {
    client.close()
    const { authenticationFailed, responseText } = error as {
      readonly authenticationFailed?: boolean
      readonly responseText?: string
    }
    if (authenticationFailed === true)
      throw new RejectedError(
        `${host} does not accept the user or the password: ${responseText ?? ''}`.trim(),
      )
    throw error
  }
}

export function imapProblem(error: unknown, { imap }: EmailSettings): string {
  const { responseText, message, code } = error as {
    readonly responseText?: string
    readonly message?: string
    readonly code?: string
  }
  const said = responseText ?? message ?? String(error)
  return `${imap.host}:${imap.port} could not be used${code === undefined ? '' : ` (${code})`}: ${said.slice(0, 500)}`
}
