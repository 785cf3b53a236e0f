/**
 * Owns what is said and what is known of it. IRC confirms no message: a ping behind it is answered when the server has
 * read both, and what it says in between is its complaint. One message goes at a time, so that a complaint is about it.
 */
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import type { IrcConnection } from './connection.ts'
import { composeIrcLine, type IrcLine, lowered, readMask } from './line.ts'
import type { Pace } from './pace.ts'
import { presenceOf } from './presence.ts'
import { createIrcQuestions } from './question.ts'
import { ircLines } from './text.ts'

export interface IrcWay {
  readonly connection: IrcConnection
  readonly channels: ReadonlySet<string>
  readonly pace: Pace
  readonly token: () => string
}

export interface IrcSender {
  send(message: OutboundMessage): Promise<SendResult>
  /** Every line that the server sends. */
  hear(line: IrcLine): void
  /** The connection is gone. */
  lost(): void
}

/** Around the text: our own mask at its longest, the command and two marks. */
const maskRoom = 1 + 30 + 1 + 11 + 1 + 63 + 1

export function createIrcSender(way: IrcWay): IrcSender {
  const { connection, pace } = way
  const questions = createIrcQuestions(connection)
  let turn: Promise<unknown> = Promise.resolve()

  async function say(message: OutboundMessage): Promise<SendResult> {
    const isChannel = way.channels.has(message.chat)
    if (!isChannel) {
      if (!/^[^\s#&+!:,@]+![^\s!@]+@\S+$/.test(message.chat)) return refused('This is no chat on IRC.')
      await pace.wait(1)
      const presence = await presenceOf(questions, message.chat)
      if (presence === 'no connection') return later()
      if (presence === 'gone') return refused('They are not there, or somebody else has their nickname.')
    }
    const target = isChannel ? message.chat : (readMask(message.chat)?.nick ?? '')
    const room = 510 - maskRoom - 'PRIVMSG  :'.length - Buffer.byteLength(target)
    const lines = ircLines(message.text, { format: message.format, room })
    if (lines.length === 0) return refused('There is nothing in it that can be shown.')
    return deliver(target, lines)
  }

  const later = (): SendResult => ({ kind: 'later', afterMs: null, problem: connection.problem })

  async function deliver(target: string, lines: readonly string[]): Promise<SendResult> {
    const token = way.token()
    await pace.wait(lines.length + 1)
    let complaint: string | undefined
    const ending = await questions.ask(
      [...lines.map((line) => `PRIVMSG ${target} :${line}`), composeIrcLine('PING', token)],
      ({ command, params }) => {
        const isAbout = lowered(params[1] ?? '') === lowered(target)
        if (/^[45]\d\d$/.test(command) && isAbout) complaint ??= `${params.at(-1)} (${command})`
        return command === 'PONG' && params.includes(token)
      },
    )
    if (complaint !== undefined) return refused(complaint)
    if (ending === 'not written') return later()
    return ending === 'answered'
      ? { kind: 'sent', message: token }
      : { kind: 'unknown', problem: 'The connection ended before the server confirmed it.' }
  }

  return {
    send(message) {
      const mine = turn.then(() => say(message))
      turn = mine.catch(() => undefined)
      return mine
    },
    hear: questions.hear,
    lost: questions.lost,
  }
}

const refused = (problem: string): SendResult => ({ kind: 'refused', problem: problem.slice(0, 1_000) })
