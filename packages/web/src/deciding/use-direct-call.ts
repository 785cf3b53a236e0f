/** Makes a call of the operator from a screen, tells what came of it, and offers to take it back. */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useGo } from '../environment/route.ts'
import { useClient } from '../environment/services.tsx'
import { useNotify } from '../kit/index.ts'
import { words } from '../words/deciding.ts'
import { callDirectly, type DirectOutcome, type DirectPorts, undoDirectly } from './direct-call.ts'

export interface DirectCalls {
  /** Throws what went wrong, for a form to show. */
  readonly call: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
    done: string,
  ) => Promise<DirectOutcome>
  /** Tells what went wrong as a message. */
  readonly act: (tool: string, args: Readonly<Record<string, unknown>>, done: string) => void
  readonly undo: (run: string, calls?: readonly string[]) => void
}

/** What a call by hand needs. The same object as long as the client is. */
export function useDirectPorts(): DirectPorts {
  const client = useClient()
  return useMemo(
    () => ({
      client,
      wait: (ms) => new Promise((resolve) => window.setTimeout(resolve, ms)),
      tooLong: words.direct.tooLong,
    }),
    [client],
  )
}

/** Every answer whose name begins with `touched` is asked for anew. */
export function useDirectCalls(touched: string): DirectCalls {
  const ports = useDirectPorts()
  const queries = useQueryClient()
  const notify = useNotify()
  const go = useGo()
  return useMemo(() => {
    const refresh = () => queries.invalidateQueries({ queryKey: [touched] })
    const failed = (error: unknown) =>
      notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
    const told = (outcome: DirectOutcome, done: string, undo?: (run: string) => void) => {
      if (outcome.kind === 'waits') {
        const { code } = outcome
        notify({
          text: words.direct.waits,
          action: { label: words.direct.review, run: () => go(`/approvals/${code}`) },
        })
      } else if (outcome.undoable && undo !== undefined) {
        notify({ text: done, action: { label: words.direct.undo, run: () => undo(outcome.run) } })
      } else notify({ text: done })
    }
    const undo = (run: string, calls?: readonly string[]) =>
      void undoDirectly(ports, run, calls)
        .then(async (outcome) => {
          await refresh()
          told(outcome, words.direct.undone)
        })
        .catch(failed)
    const call: DirectCalls['call'] = async (tool, args, done) => {
      const outcome = await callDirectly(ports, tool, args)
      await refresh()
      told(outcome, done, undo)
      return outcome
    }
    return { call, undo, act: (tool, args, done) => void call(tool, args, done).catch(failed) }
  }, [ports, queries, notify, go, touched])
}
