/** Owns the way to an IRC network: stays connected, takes what is said to us, and says what we say. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChannelAdapter, ChannelConnection, ChannelContext } from '../frame/adapter.ts'
import { RejectedError } from '../frame/adapter.ts'
import { createIntake } from '../frame/intake.ts'
import { type Account, keepConnected } from '../frame/keep-connected.ts'
import { connectIrc, type IrcConnection } from './connection.ts'
import { ircMessage } from './inbound.ts'
import { composeIrcLine, type IrcLine, lowered } from './line.ts'
import { IrcSettings, ircManifest } from './manifest.ts'
import { createPace } from './pace.ts'
import { type IrcRegistration, registerIrc } from './register.ts'
import { createIrcSender, type IrcSender } from './send.ts'

/** So many messages wait to be taken before no more are read. */
const mostWaiting = 2_000
/** To have our own name again, and to be where we were turned away. */
const repairMs = 60_000

type Context = ChannelContext<Readonly<Record<string, unknown>>>

/** The part of an adapter that outlives its connections. */
interface IrcHome {
  readonly context: Context
  readonly settings: IrcSettings
  readonly intake: ReturnType<typeof createIntake>
  /** For as long as it is open. */
  sender: IrcSender | undefined
}

export const ircAdapter: ChannelAdapter<Readonly<Record<string, unknown>>> = {
  manifest: ircManifest,
  async open(context) {
    const settings = IrcSettings.parse(context.settings)
    keepSecret(settings, context.secrets)
    const home: IrcHome = { context, settings, intake: createIntake(context), sender: undefined }
    const { ended } = await keepConnected(context, (standing) => converseOnce(home, standing))
    return connectionOf(home, ended)
  },
}

function connectionOf(home: IrcHome, ended: Promise<void>): ChannelConnection {
  return {
    async send(message) {
      if (message.file) return { kind: 'refused', problem: 'IRC takes no files.' }
      if (!home.sender)
        return { kind: 'later', afterMs: null, problem: 'There is no connection to the network.' }
      return home.sender.send(message)
    },
    // It ends with the signal that the context gave.
    close: () => ended,
  }
}

/** A password that everybody on the way can read is no secret any more. */
function keepSecret({ host, tls }: IrcSettings, secrets: Readonly<Record<string, string>>): void {
  const hasSecret = Object.values(secrets).some((secret) => secret !== '')
  if (hasSecret && !tls && !isThisComputer(host))
    throw new RejectedError('A password is sent over TLS only: switch `tls` on, or take the password away.')
  for (const secret of Object.values(secrets))
    if (/[\r\n\0]/.test(secret)) throw new RejectedError('There is the end of a line in a password.')
}

const isThisComputer = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

async function converseOnce(home: IrcHome, standing: (account: Account) => void): Promise<string> {
  const { context, settings } = home
  const { secrets, signal } = context
  const connection = await connectIrc(settings, signal)
  try {
    const registration = await registerIrc({ connection, settings, secrets, signal })
    standing({ id: `${settings.nick}@${settings.host}`, name: registration.nick })
    await converse(home, connection, registration)
    return connection.problem
  } finally {
    await connection.end()
  }
}

/** Until the connection is lost. */
async function converse(
  home: IrcHome,
  connection: IrcConnection,
  registration: IrcRegistration,
): Promise<void> {
  const { context, settings } = home
  const channels = new Set(settings.channels.map(lowered))
  const pace = createPace(settings.pauseMs, context.signal)
  let { nick } = registration
  const sender = createIrcSender({ connection, channels, pace, token: freshToken })
  home.sender = sender
  const joined = new Set<string>()
  const repair = setInterval(() => {
    const missing = [...channels].filter((channel) => !joined.has(channel))
    if (nick !== settings.nick) connection.write([composeIrcLine('NICK', settings.nick)])
    connection.write(missing.map((channel) => composeIrcLine('JOIN', channel)))
  }, repairMs)

  function follow({ command, source, params }: IrcLine): void {
    const isOurs = source !== null && lowered(source.nick) === lowered(nick)
    const [where = '', whom = ''] = params
    if (isOurs && command === 'NICK') nick = where
    if (isOurs && command === 'JOIN') joined.add(lowered(where))
    if (isOurs && command === 'PART') joined.delete(lowered(where))
    if (command === 'KICK' && lowered(whom) === lowered(nick)) joined.delete(lowered(where))
  }

  function hear(line: IrcLine): void {
    sender.hear(line)
    follow(line)
    const isPrivateWay = settings.tls || isThisComputer(settings.host)
    const view = {
      nick,
      caps: registration.caps,
      channels,
      isPrivateWay,
      freshId: freshToken,
      now: new Date(),
    }
    const message = ircMessage(line, view)
    // It rejects only when the channel ends.
    if (message) home.intake.take(message).catch(() => undefined)
  }

  try {
    for (const line of registration.early) hear(line)
    for (let line = await connection.next(); line; line = await connection.next()) {
      hear(line)
      while (home.intake.waiting > mostWaiting) await pause(100, undefined, { signal: context.signal })
    }
  } finally {
    clearInterval(repair)
    home.sender = undefined
    sender.lost()
  }
}

const freshToken = (): string => crypto.randomUUID()
