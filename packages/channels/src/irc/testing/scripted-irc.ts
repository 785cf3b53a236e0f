/** Owns a server of IRC that does what ngircd cannot: accounts, passwords of accounts, tags. It says what it is told to say. */
import { createServer, type Socket } from 'node:net'

export interface ScriptedIrc {
  readonly port: number
  /** What the client wrote, by all its connections. */
  readonly heard: readonly string[]
  /** To everybody who is connected. */
  says(line: string): void
  saysBytes(bytes: Buffer): void
  close(): Promise<void>
}

export interface ScriptedIrcOptions {
  readonly caps?: string
  /** Whom it lets in by SASL. */
  readonly account?: { readonly name: string; readonly password: string }
  readonly takenNicks?: readonly string[]
}

export async function startScriptedIrc(options: ScriptedIrcOptions = {}): Promise<ScriptedIrc> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const person = { nick: '', hasUser: false, isNegotiating: false, isIn: false }
    const say = (line: string) => socket.write(`${line}\r\n`)
    let rest = ''
    socket.setEncoding('utf8')
    socket.on('error', () => sockets.delete(socket))
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        heard.push(line)
        answer(line, person, say, options)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const saysBytes = (bytes: Buffer) => {
    for (const socket of sockets) socket.write(bytes)
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    heard,
    says: (line) => saysBytes(Buffer.from(`${line}\r\n`)),
    saysBytes,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Visitor {
  nick: string
  hasUser: boolean
  isNegotiating: boolean
  isIn: boolean
}

function answer(
  line: string,
  person: Visitor,
  say: (line: string) => void,
  options: ScriptedIrcOptions,
): void {
  const [command = '', first = '', ...more] = line.split(' ')
  const last = [first, ...more].join(' ').replace(/^.*?:/, '')
  if (command === 'CAP' && first === 'LS') {
    person.isNegotiating = true
    say(`:irc.test CAP * LS * :multi-prefix`)
    say(`:irc.test CAP * LS :${options.caps ?? ''}`)
  } else if (command === 'CAP' && first === 'REQ') say(`:irc.test CAP * ACK :${last}`)
  else if (command === 'CAP' && first === 'END') person.isNegotiating = false
  else if (command === 'AUTHENTICATE' && first === 'PLAIN') say('AUTHENTICATE +')
  else if (command === 'AUTHENTICATE') {
    const { name = '', password = '' } = options.account ?? {}
    const isRight = Buffer.from(first, 'base64').toString() === `\0${name}\0${password}`
    say(
      isRight
        ? ':irc.test 903 * :SASL authentication successful'
        : ':irc.test 904 * :SASL authentication failed',
    )
  } else if (command === 'NICK') {
    if (options.takenNicks?.includes(first)) say(`:irc.test 433 * ${first} :Nickname is already in use`)
    else person.nick = first
  } else if (command === 'USER') person.hasUser = true
  else if (command === 'PING') say(`:irc.test PONG irc.test :${first}`)
  else if (command === 'JOIN') {
    say(`:${person.nick}!u@h JOIN ${first}`)
    say(`:irc.test 366 ${person.nick} ${first} :End of NAMES`)
  } else if (command === 'USERHOST') say(`:irc.test 421 ${person.nick} USERHOST :Unknown command`)
  if (person.isIn || person.isNegotiating || !person.hasUser || person.nick === '') return
  person.isIn = true
  say(`:irc.test 001 ${person.nick} :Welcome`)
}
