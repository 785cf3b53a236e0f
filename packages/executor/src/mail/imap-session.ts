/** Owns one signed-in connection to an IMAP server, bounded in time and size, and closed whatever happens. */
import { isIP } from 'node:net'
import type { MailAccount } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import {
  type CredentialRefused,
  type MailCredential,
  type MailLogin,
  refusedWords,
  withCredential,
} from './mail-login.ts'
import { type AddressParts, type ServerAddress, serverAddress } from './server-address.ts'

export interface SessionParts extends AddressParts {
  /** Certificates besides those of this computer, for tests. */
  readonly ca?: string | undefined
}

/** In bytes. */
export const largestMail = 25_000_000
const connectMs = 20_000

export async function withImap<Result>(
  login: MailLogin,
  parts: SessionParts,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result | Failure> {
  const { account } = login
  const found = await serverAddress(account.imap, parts, signal)
  if (found.kind === 'failed') return found
  return withCredential(login, signal, (credential) =>
    signedIn(new ImapFlow(optionsFor(account, credential, found, parts)), account, signal, work),
  )
}

async function signedIn<Result>(
  client: ImapFlow,
  account: MailAccount,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result | Failure | CredentialRefused> {
  // What breaks later is told by the command that waits for it.
  client.on('error', () => undefined)
  const stop = (): void => client.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    return await work(client)
  } catch (error) {
    if (signal.aborted) return { kind: 'failed', reason: 'It was cancelled.' }
    if ((error as { authenticationFailed?: boolean }).authenticationFailed === true)
      return { kind: 'credential-refused', reason: refusedWords(account, account.imap.host) }
    return { kind: 'failed', reason: imapProblem(error, account) }
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

function optionsFor(
  { imap, user }: MailAccount,
  { kind, value }: MailCredential,
  at: ServerAddress,
  { ca }: Pick<SessionParts, 'ca'>,
): ImapFlowOptions {
  return {
    host: at.address,
    port: imap.port,
    secure: imap.security === 'tls',
    // Said outright, so that a server cannot talk us out of it.
    doSTARTTLS: imap.security === 'starttls',
    ...(isIP(at.name) === 0 ? { servername: at.name } : {}),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) },
    auth: { user, ...(kind === 'token' ? { accessToken: value } : { pass: value }) },
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
  }
}

function imapProblem(error: unknown, { imap }: MailAccount): string {
  const { responseText, message, code } = error as { responseText?: string; message?: string; code?: string }
  const said = responseText ?? message ?? String(error)
  return `${imap.host}:${imap.port} could not be used${code === undefined ? '' : ` (${code})`}: ${said.slice(0, 500)}`
}
