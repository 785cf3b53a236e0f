/** Runs whole commands against the scripted gateway, and gives back what a person or a program would see. */
import { stripVTControlCharacters } from 'node:util'
import { run } from '../program.ts'
import { type FakeGateway, fakeGateway } from './gateway.ts'
import { type TestHome, testHome, testHost } from './home.ts'

export interface CommandOutput {
  readonly exit: number
  readonly text: string
  readonly complaints: string
}

export interface CommandOptions {
  readonly columns?: number
  readonly terminal?: boolean
  /** What is typed or piped; a pipe ends after it. */
  readonly input?: string
}

export interface CommandBench {
  readonly home: TestHome
  readonly gateway: FakeGateway
  command(argv: readonly string[], options?: CommandOptions): Promise<CommandOutput>
  /** With --json; refuses anything but one document. */
  document(argv: readonly string[], options?: CommandOptions): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export async function openCommandBench(now: string): Promise<CommandBench> {
  const home = testHome()
  const gateway = await fakeGateway(home.paths, home.establish())

  async function command(argv: readonly string[], options: CommandOptions = {}): Promise<CommandOutput> {
    const terminal = options.terminal === true
    const host = testHost({
      home,
      WebSocket: gateway.WebSocket,
      terminal,
      // Lines can be read back; what is drawn has tests of its own.
      values: { NO_COLOR: '1', ...(terminal ? { TERM: 'dumb' } : {}) },
      clock: () => new Date(now),
      ...(options.columns === undefined ? {} : { columns: options.columns }),
    })
    if (terminal) {
      Object.assign(host.input, { setRawMode: () => undefined })
      // One line after another, each once its question stands there.
      const lines = (options.input ?? '').split(/(?<=[\n\r])/).filter((line) => line !== '')
      let asked = 0
      const typing = setInterval(() => {
        const seen = stripVTControlCharacters(host.written() + host.complaints())
        if (seen.length === asked || !/[:?] $/.test(seen)) return
        asked = seen.length
        host.typed.write(lines.shift() ?? '\n')
      }, 5)
      const exit = await run(argv, host).finally(() => clearInterval(typing))
      return { exit, text: stripVTControlCharacters(host.written()), complaints: host.complaints() }
    }
    host.typed.end(options.input ?? '')
    const exit = await run(argv, host)
    return { exit, text: host.written(), complaints: host.complaints() }
  }

  return {
    home,
    gateway,
    command,
    async document(argv, options) {
      const { text } = await command([...argv, '--json'], options)
      if (text.indexOf('\n') !== text.length - 1) throw new Error(`Not one document: ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    },
    async close() {
      await gateway.close()
      home.remove()
    },
  }
}
