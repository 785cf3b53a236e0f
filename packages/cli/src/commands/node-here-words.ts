/** Owns how the state of this computer as a node is shown. */
import type { NodeCapabilityState } from '@countersign/contract'
import type { Context } from '../context.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'

export interface NodeStatusData {
  readonly name: string
  readonly address: string
  readonly shared: string
  readonly problem: string | null
  readonly running: { readonly pid: number; readonly state: string; readonly reason: string } | null
  readonly paused: boolean
  readonly policy: { readonly maxTier: number } | null
  readonly policyFile: string
  readonly policyProblem: string | null
  readonly witnessed: number
  readonly witnessedAt: string | null
  readonly complaint: string | null
  readonly devices: readonly { readonly id: string; readonly name: string; readonly reach: number }[]
  readonly capabilities: readonly NodeCapabilityState[]
}

export function statusText(data: NodeStatusData, context: Context): string {
  const { name, address, shared, devices } = data
  return [
    columns([
      ['Name', line(name)],
      ['Gateway', line(address)],
      ['Shares', line(shared)],
      ['Connection', connectionText(data)],
      ...(data.problem === null ? [] : [['Problem', line(data.problem)]]),
      ...(data.paused ? [['Paused', 'nothing runs here; `countersign node resume` ends it']] : []),
      ['Ledger', ledgerText(data, context)],
      ['Policy', policyText(data)],
      ['Believes', devices.map(({ name: device }) => line(device)).join(', ') || 'nobody yet'],
    ]),
    '',
    capabilityLines(data),
  ].join('\n')
}

export function capabilityLines({ capabilities, policyProblem }: NodeStatusData): string {
  return [
    columns(capabilities.map(({ capability, state, reason }) => [capability, state, line(reason)])),
    ...capabilities.flatMap(({ capability, state, fix }) =>
      state === 'ready' || state === 'off' || fix === '' ? [] : [`To have ${capability}: ${line(fix)}`],
    ),
    ...(policyProblem === null ? [] : [`Everything is refused: ${line(policyProblem)}.`]),
  ].join('\n')
}

function connectionText({ running }: NodeStatusData): string {
  if (!running) return 'not running; start it with `countersign node run`'
  const why = running.reason === '' ? '' : `: ${line(running.reason)}`
  return `${line(running.state)}${why}  pid ${running.pid}`
}

function ledgerText({ witnessed, witnessedAt, complaint }: NodeStatusData, context: Context): string {
  if (complaint !== null)
    return `complains: ${line(complaint)}. Nothing above a look runs here. If you restored the gateway from a backup, pair this computer anew.`
  if (witnessedAt === null) return 'nothing seen yet'
  return `${witnessed} entries seen, ${ago(witnessedAt, context.moment())}`
}

function policyText({ policy, policyFile }: NodeStatusData): string {
  return policy ? `up to tier ${policy.maxTier}  ${line(policyFile)}` : line(policyFile)
}
