/** Owns one question at a time to the server, and the line that answers it: IRC has no numbers to tell answers apart. */
import type { IrcConnection } from './connection.ts'
import type { IrcLine } from './line.ts'

/** `lost` where the connection or the patience ended before there was an answer. */
export type Ending = 'answered' | 'lost' | 'not written'

export interface IrcQuestions {
  /** `read` sees every line until it says that this was the answer. */
  ask(lines: readonly string[], read: (line: IrcLine) => boolean): Promise<Ending>
  hear(line: IrcLine): void
  lost(): void
}

const answerMs = 30_000

export function createIrcQuestions(connection: IrcConnection): IrcQuestions {
  let open: { readonly read: (line: IrcLine) => boolean; end(ending: Ending): void } | undefined
  return {
    async ask(lines, read) {
      const { promise, resolve } = Promise.withResolvers<Ending>()
      const timer = setTimeout(() => resolve('lost'), answerMs)
      open = { read, end: resolve }
      if (!connection.write(lines)) resolve('not written')
      const ending = await promise
      clearTimeout(timer)
      open = undefined
      return ending
    },
    hear(line) {
      if (open?.read(line)) open.end('answered')
    },
    lost: () => open?.end('lost'),
  }
}
