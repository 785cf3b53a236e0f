/**
 * Owns one signed-in connection to an SMTP server, bounded in time and closed whatever happens, and how far an e-mail
 * got on it: before its last byte was handed over nobody can have taken it, and after that only the server knows.
 */
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { MailAccount } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SessionParts } from './imap-session.ts'
import {
  type CredentialRefused,
  type MailCredential,
  type MailLogin,
  refusedWords,
  withCredential,
} from './mail-login.ts'
import { type ServerAddress, serverAddress } from './server-address.ts'

export interface SmtpSession {
  send(parcel: Parcel): Promise<Delivery>
}

export interface Parcel {
  readonly raw: Buffer
  readonly from: string
  readonly recipients: readonly string[]
}

export type Delivery =
  | { readonly kind: 'delivered'; readonly refused: readonly string[] }
  /** The server did not take it. */
  | Failure
  /** The server had all of it, and was not heard again. */
  | { readonly kind: 'unsure'; readonly reason: string }

export async function withSmtp<Result>(
  login: MailLogin,
  parts: SessionParts,
  signal: AbortSignal,
  work: (session: SmtpSession) => Promise<Result>,
): Promise<Result | Failure> {
  const { account } = login
  const at = await serverAddress(account.smtp, parts, signal)
  if (at.kind === 'failed') return at
  return withCredential(login, signal, (credential) =>
    signedIn({ account, credential, at, parts }, signal, work),
  )
}

interface SignIn {
  readonly account: MailAccount
  readonly credential: MailCredential
  readonly at: ServerAddress
  readonly parts: SessionParts
}

async function signedIn<Result>(
  { account, credential, at, parts }: SignIn,
  signal: AbortSignal,
  work: (session: SmtpSession) => Promise<Result>,
): Promise<Result | Failure | CredentialRefused> {
  if (signal.aborted) return cancelled
  const connection = new SMTPConnection(optionsFor(account, at, parts))
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  connection.on('error', lost.reject)
  connection.once('end', () => lost.reject(new Error('the connection ended')))
  const stop = (): void => {
    lost.reject(new Error('it was cancelled'))
    connection.close()
  }
  signal.addEventListener('abort', stop, { once: true })
  const step = <Value>(start: (done: (error: Error | null, value: Value) => void) => void): Promise<Value> =>
    Promise.race([
      lost.promise,
      new Promise<Value>((resolve, reject) =>
        start((error, value) => (error ? reject(error) : resolve(value))),
      ),
    ])
  try {
    await step<unknown>((done) => connection.connect((error) => done(error ?? null, undefined)))
    if (connection.allowsAuth)
      await step<unknown>((done) => connection.login(shownBy(account, credential), done))
    const result = await work({ send: (parcel) => handOver(parcel, account, connection, step) })
    connection.quit()
    return result
  } catch (error) {
    if (signal.aborted) return cancelled
    if ((error as { code?: string }).code === 'EAUTH')
      return { kind: 'credential-refused', reason: refusedWords(account, account.smtp.host) }
    return { kind: 'failed', reason: smtpProblem(error, account) }
  } finally {
    signal.removeEventListener('abort', stop)
    // A server that does not answer the farewell is not waited for.
    setTimeout(() => connection.close(), farewellMs).unref()
  }
}

const farewellMs = 1_000
const cancelled: Failure = { kind: 'failed', reason: 'It was cancelled.' }

type Step = <Value>(start: (done: (error: Error | null, value: Value) => void) => void) => Promise<Value>

async function handOver(
  { raw, from, recipients }: Parcel,
  account: MailAccount,
  connection: SMTPConnection,
  step: Step,
): Promise<Delivery> {
  let handedOver = false
  const content = readInParts(raw, () => {
    handedOver = true
  })
  try {
    const { rejected } = await step<{ rejected?: readonly unknown[] | undefined }>((done) =>
      connection.send({ from, to: [...recipients] }, content, done as never),
    )
    return { kind: 'delivered', refused: (rejected ?? []).map(String) }
  } catch (error) {
    connection.close()
    const reason = smtpProblem(error, account)
    const { responseCode = 0 } = error as { responseCode?: number }
    return handedOver && responseCode < 400 ? { kind: 'unsure', reason } : { kind: 'failed', reason }
  }
}

/** The connection takes it after the server asked for it, and no quicker than it goes out. */
function readInParts(raw: Buffer, onLast: () => void): Readable {
  const size = 65_536
  let at = 0
  return new Readable({
    highWaterMark: size,
    read() {
      if (at >= raw.length) {
        onLast()
        this.push(null)
        return
      }
      this.push(raw.subarray(at, at + size))
      at += size
    },
  })
}

function optionsFor(
  { smtp }: MailAccount,
  at: { readonly address: string; readonly name: string },
  { ca }: Pick<SessionParts, 'ca'>,
) {
  return {
    host: at.address,
    port: smtp.port,
    secure: smtp.security === 'tls',
    requireTLS: smtp.security === 'starttls',
    ignoreTLS: smtp.security === 'none',
    // The name of this computer is nobody's business.
    name: 'localhost',
    tls: {
      ...(isIP(at.name) === 0 ? { servername: at.name } : {}),
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2' as const,
      ...(ca === undefined ? {} : { ca }),
    },
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 120_000,
    maxResponseSize: 100_000,
    logger: false as const,
  }
}

/** A token is shown by XOAUTH2, the one way of it that all providers of mail know. */
function shownBy({ user }: MailAccount, { kind, value }: MailCredential): SMTPConnection.AuthenticationType {
  if (kind === 'password') return { user, credentials: { user, pass: value } }
  const words = (token: string) =>
    Buffer.from(`user=${user}\x01auth=Bearer ${token}\x01\x01`).toString('base64')
  return {
    user,
    oauth2: {
      // The one that was refused is not shown again; who asked for it asks for another.
      getToken: (again: boolean, done: (error: Error | null, token?: string) => void) =>
        again ? done(new Error('the token was refused')) : done(null, value),
      buildXOAuth2Token: words,
    },
  } as never
}

function smtpProblem(error: unknown, { smtp }: MailAccount): string {
  const { message } = error as { message?: string }
  return `${smtp.host}:${smtp.port} did not take it: ${(message ?? String(error)).slice(0, 500)}.`
}
