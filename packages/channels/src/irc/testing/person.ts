/** Owns somebody on IRC with a program of their own: a socket that says and hears lines. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface IrcPerson {
  readonly nick: string
  /** As the server shows them. */
  readonly mask: string
  /** To somebody or to a channel; resolves when the server has it, and rejects when it complains. */
  says(to: string, text: string): Promise<void>
  /** Waits until somebody is in the channel, or is not any more. */
  sees(nick: string, channel: string, isThere: boolean): Promise<void>
  /** What came to them, in order. */
  readonly heard: readonly { readonly from: string; readonly to: string; readonly text: string }[]
  close(): Promise<void>
}

export async function ircPerson(
  port: number,
  password: string,
  nick: string,
  channel?: string,
): Promise<IrcPerson> {
  const socket = connect(port, '127.0.0.1')
  const heard: { from: string; to: string; text: string }[] = []
  const readers = new Set<(line: string) => void>()
  let begun = ''
  let problem = 'The connection ended.'
  let mask = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (begun + text).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) hear(line.replace(/\r$/, ''))
  })
  socket.on('error', (error) => {
    problem = error.message
  })

  function hear(line: string): void {
    if (line.startsWith('PING')) socket.write(line.replace('PING', 'PONG') + '\r\n')
    const [, from, to, text] = /^:(\S+) PRIVMSG (\S+) :(.*)$/s.exec(line) ?? []
    if (from !== undefined && to !== undefined && text !== undefined) heard.push({ from, to, text })
    for (const read of readers) read(line)
  }

  /** Writes, and waits for the first line of which the reader makes something. */
  function ask<T>(write: string, read: (line: string) => T | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const lost = () => reject(new Error(problem))
    const reader = (line: string) => {
      try {
        const found = read(line)
        if (found !== undefined) resolve(found)
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    readers.add(reader)
    socket.once('close', lost)
    socket.write(write)
    return promise.finally(() => {
      readers.delete(reader)
      socket.off('close', lost)
    })
  }

  await ask(`PASS :${password}\r\nNICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\n`, (line) =>
    line.includes(' 001 ') ? true : undefined,
  )
  mask = await ask(`USERHOST ${nick}\r\n`, (line) => / 302 .*[+-](\S+)/.exec(line)?.[1])
  if (channel) await ask(`JOIN ${channel}\r\n`, (line) => (line.includes(' 366 ') ? true : undefined))
  let tokens = 0
  return {
    nick,
    mask: `${nick}!${mask}`,
    heard,
    async sees(wanted, where, isThere) {
      for (let left = 400; left > 0; left -= 1) {
        let names = ''
        await ask(`NAMES ${where}\r\n`, (line) => {
          const [, some] = / 353 [^:]*:(.*)$/.exec(line) ?? []
          if (some !== undefined) names += ` ${some}`
          return line.includes(' 366 ') ? true : undefined
        })
        if (names.split(/[ @+]+/).includes(wanted) === isThere) return
        await pause(20)
      }
    },
    async says(to, text) {
      if (/[\r\n\0]/.test(text) || Buffer.byteLength(text) > 420) throw new Error('That fits in no line.')
      tokens += 1
      await ask(`PRIVMSG ${to} :${text}\r\nPING t${tokens}\r\n`, (line) => {
        const [, code] = /^:\S+ (4\d\d) /.exec(line) ?? []
        if (code) throw new Error(line)
        return line.includes('PONG') && line.endsWith(`t${tokens}`) ? true : undefined
      })
    },
    async close() {
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.destroy()
      await closed
    },
  }
}
