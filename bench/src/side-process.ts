/**
 * Owns a second process of a bench, so that what is compared runs alone in its process. It answers one question at a
 * time over the channel to its parent.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface SideProcess<Question, Answer> {
  readonly pid: number
  ask(question: Question): Promise<Answer>
  close(): Promise<void>
}

type Wrapped<Answer> = { readonly answer: Answer } | { readonly error: string }

/** Starts a file of the folder `side`. */
export function startSideProcess<Question extends object, Answer>(
  file: string,
): SideProcess<Question, Answer> {
  const child = fork(fileURLToPath(new URL(`./side/${file}`, import.meta.url)), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let last: Promise<unknown> = Promise.resolve()

  function askNow(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`${file} ended without an answer`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        const wrapped = message as Wrapped<Answer>
        if ('error' in wrapped) reject(new Error(wrapped.error))
        else resolve(wrapped.answer)
      })
      child.send(question)
    })
  }

  return {
    pid: child.pid ?? 0,
    ask(question) {
      const answer = last.then(() => askNow(question))
      last = answer.catch(() => undefined)
      return answer
    },
    async close() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

/** The side process's own end of it. It lives as long as its parent. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.once('disconnect', () => process.exit(0))
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ answer: value } satisfies Wrapped<Answer>),
      (error: unknown) =>
        process.send?.({
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        } satisfies Wrapped<Answer>),
    )
  })
}
