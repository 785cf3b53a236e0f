/**
 * Owns the handing over of one e-mail to the server, and how far it got: before its last byte was handed over nobody can
 * have taken it, and after that only the server knows.
 */
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { RejectedError } from '../frame/adapter.ts'
import type { SendResult } from '../frame/protocol.ts'
import type { ComposedMail } from './compose.ts'
import type { EmailSettings } from './manifest.ts'

export interface SmtpParts {
  readonly settings: EmailSettings
  readonly password: string
  readonly signal: AbortSignal
}

const farewellMs = 500

export async function sendMail(
  parts: SmtpParts,
  to: string,
  { raw, messageId }: ComposedMail,
): Promise<SendResult> {
  let isHandedOver = false
  const content = readInParts(raw, () => {
    isHandedOver = true
  })
  try {
    await signedIn(parts, async (connection, step) => {
      await step<unknown>((done) =>
        connection.send({ from: parts.settings.address, to: [to] }, content, done as never),
      )
    })
    return { kind: 'sent', message: messageId }
  } catch (error) {
    content.destroy()
    return resultOf(error, isHandedOver, parts.settings)
  }
}

function resultOf(error: unknown, isHandedOver: boolean, { smtp }: EmailSettings): SendResult {
  const {
    responseCode = 0,
    code,
    message,
  } = error as {
    readonly responseCode?: number
    readonly code?: string
    readonly message?: string
  }
  const problem = `${smtp.host}:${smtp.port} did not take it: ${(message ?? String(error)).slice(0, 500)}`
  // A password that is refused now may be right again; the e-mail is as good as it was.
  if (code === 'EAUTH') return { kind: 'later', afterMs: null, problem }
  if (responseCode >= 500) return { kind: 'refused', problem }
  if (responseCode >= 400) return { kind: 'later', afterMs: null, problem }
  return isHandedOver ? { kind: 'unknown', problem } : { kind: 'later', afterMs: null, problem }
}

/** Throws `RejectedError` where the server does not let us in; what else is wrong shows when something is sent. */
export async function checkSmtp(parts: SmtpParts): Promise<void> {
  try {
    await signedIn(parts, async () => undefined)
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message?: string }
    if (code === 'EAUTH')
      throw new RejectedError(
        `${parts.settings.smtp.host} does not accept the user or the password: ${message ?? ''}`,
      )
  }
}

type Step = <Value>(start: (done: (error: Error | null, value: Value) => void) => void) => Promise<Value>

async function signedIn(
  parts: SmtpParts,
  work: (connection: SMTPConnection, step: Step) => Promise<void>,
): Promise<void> {
  const { settings, password, signal } = parts
  signal.throwIfAborted()
  const connection = new SMTPConnection(optionsFor(settings))
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  connection.on('error', lost.reject)
  connection.once('end', () => lost.reject(new Error('the connection ended')))
  const stop = (): void => {
    lost.reject(new Error('the channel is ending'))
    connection.close()
  }
  signal.addEventListener('abort', stop, { once: true })
  const step: Step = (start) =>
    Promise.race([
      lost.promise,
      new Promise<never>((resolve, reject) =>
        start((error, value) => (error ? reject(error) : resolve(value as never))),
      ),
    ])
  try {
    await step<unknown>((done) => connection.connect((error) => done(error ?? null, undefined)))
    const user = settings.user ?? settings.address
    if (connection.allowsAuth)
      await step<unknown>((done) => connection.login({ user, credentials: { user, pass: password } }, done))
    await work(connection, step)
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    // A server that does not answer the farewell is not waited for.
    setTimeout(() => connection.close(), farewellMs).unref()
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

function optionsFor({ smtp }: EmailSettings) {
  return {
    host: smtp.host,
    port: smtp.port,
    secure: smtp.security === 'tls',
    requireTLS: smtp.security === 'starttls',
    ignoreTLS: smtp.security === 'none',
    // The name of this computer is nobody's business.
    name: 'localhost',
    tls: {
      ...(isIP(smtp.host) === 0 ? { servername: smtp.host } : {}),
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2' as const,
    },
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 100_000,
    maxResponseSize: 100_000,
    logger: false as const,
  }
}
