/** Owns how we come in: what the server can do, who we are, and the channels, until all of that is answered. */
import { setTimeout as pause } from 'node:timers/promises'
import { RejectedError } from '../frame/adapter.ts'
import type { IrcConnection } from './connection.ts'
import { composeIrcLine, type IrcLine, lowered } from './line.ts'
import type { IrcSettings } from './manifest.ts'

export interface IrcRegistration {
  readonly nick: string
  /** What the server does for us. */
  readonly caps: ReadonlySet<string>
  /** What came while we joined. */
  readonly early: readonly IrcLine[]
}

export interface RegisterParts {
  readonly connection: IrcConnection
  readonly settings: IrcSettings
  readonly secrets: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const wantedCaps = ['account-tag', 'message-tags', 'server-time'] as const
/** A connection of ours that was lost may still hold the name for a moment. */
const sameNickTries = 4
const sameNickPauseMs = 400
const mostNicks = 8
const registerMs = 60_000

export async function registerIrc(parts: RegisterParts): Promise<IrcRegistration> {
  const timer = setTimeout(() => parts.connection.destroy('The server does not let us in.'), registerMs)
  const entry: Entry = { ...parts, nick: parts.settings.nick, tries: 0 }
  try {
    const caps = await negotiate(entry)
    await becomeKnown(entry)
    return { caps, early: await join(entry), nick: entry.nick }
  } finally {
    clearTimeout(timer)
  }
}

interface Entry extends RegisterParts {
  nick: string
  tries: number
}

/** The name may be refused at any time before we are in. */
async function nextLine(entry: Entry): Promise<IrcLine> {
  for (;;) {
    const line = await entry.connection.next()
    if (!line) throw new Error(entry.connection.problem)
    refuse(line)
    if (!['433', '436', '437'].includes(line.command)) return line
    await takeNick(entry)
  }
}

/** The one in the settings; where somebody else keeps it, one beside it. */
async function takeNick(entry: Entry): Promise<void> {
  const { connection, settings, signal } = entry
  entry.tries += 1
  if (entry.tries > sameNickTries + mostNicks) throw new Error('Every nickname that was tried is in use.')
  if (entry.tries <= sameNickTries) await pause(sameNickPauseMs, undefined, { signal })
  entry.nick = `${settings.nick}${'_'.repeat(Math.max(0, entry.tries - sameNickTries))}`
  connection.write([composeIrcLine('NICK', entry.nick)])
}

/** What no other try changes. */
function refuse({ command, params }: IrcLine): void {
  const said = params.at(-1) ?? ''
  // Some servers only close the door, and say why.
  if (command === '464' || (command === 'ERROR' && /password/i.test(said)))
    throw new RejectedError(`The server does not take the password: ${said}`)
  if (command === '465') throw new RejectedError(`The server has banned us: ${said}`)
  if (command === '432') throw new RejectedError(`The server does not take the nickname: ${said}`)
  if (['902', '904', '905', '908'].includes(command))
    throw new RejectedError(`The network does not take the password of the account: ${said}`)
}

/** A server that knows no capabilities says so, or lets us in at once. */
async function negotiate(entry: Entry): Promise<ReadonlySet<string>> {
  const { connection, settings, secrets } = entry
  const { serverPassword, password } = secrets
  connection.write([
    ...(serverPassword ? [composeIrcLine('PASS', serverPassword)] : []),
    'CAP LS 302',
    composeIrcLine('NICK', settings.nick),
    composeIrcLine(
      'USER',
      lowered(settings.nick).replaceAll(/[^a-z0-9]/g, '') || 'user',
      '0',
      '*',
      settings.nick,
    ),
  ])
  const offered = new Map<string, string>()
  for (let isMore = true; isMore; ) {
    const { command, params } = await nextLine(entry)
    if (command === '421' || command === '451') break
    if (command !== 'CAP' || params[1] !== 'LS') continue
    isMore = params[2] === '*'
    for (const cap of (params.at(-1) ?? '').split(' ')) {
      const [name = '', value = ''] = cap.split('=')
      offered.set(name, value)
    }
  }
  const wanted = [...wantedCaps, ...(password ? ['sasl'] : [])].filter((cap) => offered.has(cap))
  if (password && !wanted.includes('sasl'))
    throw new RejectedError('The server takes no password of an account (SASL).')
  const caps = wanted.length > 0 ? await request(entry, wanted) : new Set<string>()
  if (password) await authenticate(entry, settings.account ?? settings.nick, password)
  connection.write(['CAP END'])
  return caps
}

async function request(entry: Entry, wanted: readonly string[]): Promise<ReadonlySet<string>> {
  entry.connection.write([composeIrcLine('CAP', 'REQ', `${wanted.join(' ')} `)])
  for (;;) {
    const { command, params } = await nextLine(entry)
    if (command !== 'CAP') continue
    if (params[1] === 'ACK') return new Set((params.at(-1) ?? '').trim().split(' '))
    if (params[1] === 'NAK') return new Set()
  }
}

const saslPiece = 400

async function authenticate(entry: Entry, account: string, password: string): Promise<void> {
  entry.connection.write(['AUTHENTICATE PLAIN'])
  for (;;) {
    const { command, params } = await nextLine(entry)
    if (command === '903') return
    if (command !== 'AUTHENTICATE' || params[0] !== '+') continue
    const whole = Buffer.from(`\0${account}\0${password}`).toString('base64')
    const pieces: string[] = []
    for (let at = 0; at <= whole.length; at += saslPiece) pieces.push(whole.slice(at, at + saslPiece) || '+')
    entry.connection.write(pieces.map((piece) => `AUTHENTICATE ${piece}`))
  }
}

async function becomeKnown(entry: Entry): Promise<void> {
  for (;;) {
    const { command, params } = await nextLine(entry)
    if (command !== '001') continue
    entry.nick = params[0] ?? entry.nick
    return
  }
}

const joinsInLine = 5
const joinToken = 'joined'

/** Until the server has read what we ask: who cannot be in one channel is still there for the others. */
async function join({ connection, settings }: Entry): Promise<IrcLine[]> {
  const early: IrcLine[] = []
  const names = [...new Set(settings.channels.map(lowered))]
  const joins: string[] = []
  for (let at = 0; at < names.length; at += joinsInLine)
    joins.push(composeIrcLine('JOIN', names.slice(at, at + joinsInLine).join(',')))
  connection.write([...joins, composeIrcLine('PING', joinToken)])
  for (;;) {
    const line = await connection.next()
    if (!line) throw new Error(connection.problem)
    early.push(line)
    const { command, params } = line
    if (command === 'PONG' && params.includes(joinToken)) return early
  }
}
