/** Owns how a screen asks the gateway: a name for the answer, and the call of the client that fetches it. */
import type { GatewayEvent } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import {
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useClient } from './services.tsx'

export interface AskOptions<T = unknown> {
  readonly enabled?: boolean
  /** Asks again after so long, for what no event tells of; the last answer can say how long. */
  readonly everyMs?: number | ((last: T | undefined) => number)
  /** How long an answer counts as fresh. */
  readonly freshMs?: number
}

/** `useGateway(['goals'], (client) => client.goalBoard())` */
export function useGateway<T>(
  key: QueryKey,
  ask: (client: Client) => Promise<T>,
  options: AskOptions<T> = {},
): UseQueryResult<T> {
  const client = useClient()
  const { everyMs } = options
  return useQuery<T>({
    queryKey: key,
    queryFn: () => ask(client),
    enabled: options.enabled ?? true,
    ...(everyMs === undefined
      ? {}
      : { refetchInterval: typeof everyMs === 'number' ? everyMs : ({ state }) => everyMs(state.data) }),
    ...(options.freshMs === undefined ? {} : { staleTime: options.freshMs }),
  })
}

/**
 * A change, made only when the gateway has said that it is. `touches` are the answers that are asked for anew.
 * `const revoke = useChange((client, id: string) => client.revokeGrant(id), [['grants']])`
 */
export function useChange<T, Input = void>(
  change: (client: Client, input: Input) => Promise<T>,
  touches: readonly QueryKey[] = [],
): UseMutationResult<T, Error, Input> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(client, input),
    retry: false,
    onSettled: () => Promise.all(touches.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** The answers that an event makes old. */
export function touchedBy(event: GatewayEvent): readonly QueryKey[] {
  const { body } = event
  switch (body.type) {
    case 'input.admitted':
      return [['sessions'], ['session', body.session]]
    case 'run.started':
    case 'run.parked':
    case 'run.retrying':
    case 'run.resumed':
      return [['runs'], ['run', body.run], ['sessions'], ['status'], ['plans'], ['schedules'], ['unasked']]
    case 'run.ended':
      return [
        ['runs'],
        // An undo that ends changes what is known of the run that it took back.
        ['run'],
        ['sessions'],
        ['session', body.session],
        ['status'],
        ['costs'],
        ['goals'],
        ['plans'],
        ['schedules'],
        ['extensions'],
      ]
    case 'turn.replied':
      return [['session', body.session], ['costs']]
    case 'call.decided':
      return [['run', body.run], ['plans']]
    case 'call.ended':
      return [['run', body.run], ['plans'], ...(body.outcome === 'held' ? [['unasked']] : [])]
    case 'approval.requested':
      return [['approvals'], ['run', body.run], ['goals'], ['plans']]
    case 'approval.decided':
    case 'approval.extended':
    case 'approval.answered':
      return [['approvals'], ['approval'], ['run', body.run], ['goals']]
    case 'question.asked':
    case 'question.answered':
    case 'question.closed':
      return [['questions'], ['run', body.run], ['goals']]
    case 'session.erased':
      return [['sessions'], ['session', body.session], ['approvals'], ['questions'], ['runs']]
    case 'grant.created':
    case 'grant.revoked':
      return [['grants']]
    case 'policy.changed':
      return [['policy'], ['grants'], ['status'], ['tools']]
    case 'devices.changed':
      return [['devices'], ['pairing'], ['nodes']]
    case 'schedules.changed':
      return [['schedules']]
    case 'channels.changed':
      return [['channels'], ['peers']]
    case 'budget.reached':
    case 'spending.held':
    case 'spending.released':
      return [['costs'], ['status']]
    case 'notice':
      return [['feed'], ['schedules'], ...(body.about === 'ledger' ? [['status'], ['witnesses']] : [])]
    case 'reminder.due':
      return [['feed']]
    case 'system.paused':
    case 'system.resumed':
      return [['status'], ['schedules']]
  }
}

export const useStatus = () => useGateway(['status'], (client) => client.status(), { everyMs: 60_000 })
export const useSessions = () => useGateway(['sessions'], (client) => client.sessions())
export const useRuns = (filter: { session?: string; state?: string } = {}) =>
  useGateway(['runs', filter], (client) => client.runs(filter))
export const useRun = (id: string) => useGateway(['run', id], (client) => client.run(id))
export const useApproval = (ref: string) => useGateway(['approval', ref], (client) => client.approval(ref))
export const useGrants = () => useGateway(['grants'], (client) => client.grants())
/** What the person says of themselves; only a person changes it. */
export const useProfile = () => useGateway(['profile'], (client) => client.profile(), { freshMs: 300_000 })
/** Every device and passkey, revoked ones too. */
export const useDevices = () => useGateway(['devices'], (client) => client.devices(), { everyMs: 60_000 })
/** Who asks to be let in. */
export const usePairingRequests = () =>
  useGateway(['pairing', 'requests'], (client) => client.pairingRequests())
/** The models of the providers that are set up. */
export const useModels = () => useGateway(['models', 'all'], (client) => client.models(), { freshMs: 60_000 })
/** Those that can answer in a conversation: an agent acts by tools. */
export const useAnsweringModels = () =>
  (useModels().data ?? []).filter(({ capabilities }) => capabilities.includes('tools'))
export const useTools = () => useGateway(['tools'], (client) => client.tools())
export const useBudgets = () => useGateway(['costs', 'budgets'], (client) => client.budgets())
/** What was spent since midnight here, and the lowest limit for a day if one is set. */
export const useSpentToday = () =>
  useGateway(
    ['costs', 'today'],
    async (client) => {
      const midnight = new Date()
      midnight.setHours(0, 0, 0, 0)
      const [report, budgets] = await Promise.all([
        client.costs({ from: midnight.toISOString(), by: 'model' }),
        client.budgets(),
      ])
      const limit = budgets.find(({ scope, period }) => scope === 'global' && period === 'day')
      return { usd: report.total.usd, limitUsd: limit === undefined ? null : limit.limitUsd + limit.extraUsd }
    },
    { everyMs: 120_000 },
  )

/** Worth trying again without a person: nobody refused anything. */
function isPassing(error: Error): boolean {
  return (
    !('code' in error) ||
    ['gateway_unreachable', 'timeout', 'database_unavailable'].includes(String(error.code))
  )
}
