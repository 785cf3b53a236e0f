/**
 * Owns what is known of whether the next model would answer, without spending a token: how the last calls fared, and
 * where there were none, whether its server lists its models. Asks a server rarely and never makes anybody wait long.
 */
import type { Status } from '@countersign/contract'
import { type Health, type ListedModels, partsOf, type Router } from '@countersign/models'

export type ModelStatus = Status['model']

export interface ModelStatusParts {
  readonly next: Router['next']
  readonly health: Pick<Health, 'view' | 'problem'>
  /** Undefined where there is no such provider. */
  readonly list: (provider: string) => Promise<ListedModels | undefined>
  readonly clock: () => number
}

const askAgainMs = 5 * 60_000
/** One that did not answer is asked sooner, so that its return is seen. */
const askAgainFailingMs = 30_000

const lastFailed = 'Its last calls failed.'

interface ServerCheck {
  readonly at: number
  readonly problem: string | null
  /** It answered in a way that says that it works, and not only that something is there. */
  readonly listed: boolean
}

export function createModelStatus({
  next,
  health,
  list,
  clock,
}: ModelStatusParts): () => Promise<ModelStatus> {
  const asked = new Map<string, ServerCheck>()
  const failingSince = new Map<string, number>()

  async function ask(provider: string): Promise<ServerCheck> {
    const known = asked.get(provider)
    const age = clock() - (known?.at ?? 0)
    if (known && age < (known.problem === null ? askAgainMs : askAgainFailingMs)) return known
    const listed = await list(provider)
    const found = { at: clock(), problem: problemOf(listed), listed: listed?.kind === 'listed' }
    asked.set(provider, found)
    return found
  }

  function failing(ref: string, problem: string): ModelStatus {
    const { provider, model } = partsOf(ref)
    const since = failingSince.get(provider) ?? clock()
    failingSince.set(provider, since)
    return { provider, model, ok: false, state: 'failing', since: new Date(since).toISOString(), problem }
  }

  return async () => {
    const route = await next('chat')
    if (route.next === null && route.resting !== undefined)
      return failing(route.resting, route.problem ?? lastFailed)
    if (route.next === null)
      return {
        provider: 'none',
        model: '',
        ok: false,
        state: 'none',
        since: null,
        problem: route.problem ?? 'No model is chosen.',
      }
    const { provider, model } = partsOf(route.next)
    const { calls, failures, breaker } = health.view(provider)
    if (breaker !== 'closed' || (calls > 0 && failures === calls))
      return failing(route.next, health.problem(provider) ?? lastFailed)
    const fine = (state: 'ok' | 'untried'): ModelStatus => {
      failingSince.delete(provider)
      return { provider, model, ok: true, state, since: null, problem: null }
    }
    if (calls > failures) return fine('ok')
    const { problem, listed } = await ask(provider)
    if (problem !== null) return failing(route.next, problem)
    return fine(listed ? 'ok' : 'untried')
  }
}

/** A server that answers but lists nothing may still work; a wrong key or no answer may not. */
function problemOf(listed: ListedModels | undefined): string | null {
  if (listed?.kind !== 'failed') return null
  const { status } = listed
  const isThere = status !== null && status !== 401 && status !== 403 && status < 500
  return isThere ? null : listed.message
}
