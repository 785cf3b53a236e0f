/** The policy of the scripted gateway: what is in force, what a check and a simulation say, and what was applied. */
import {
  ApplyPolicy,
  type PolicyCheck,
  type PolicySimulation,
  type PolicyVersionDetail,
  type PolicyView,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'
import { plainAsked } from './records.ts'

export interface FakePolicy {
  policy: PolicyView
  check: PolicyCheck
  simulation: PolicySimulation
  readonly applied: ApplyPolicy[]
  readonly simulated: unknown[]
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const rule = {
  id: 'files.letters',
  file: 'mine.cedar',
  line: 1,
  why: 'letters are mine',
  effect: 'ask' as const,
  sentence: 'Ask before calls of write_file when it touches something in letters.',
  text: 'forbid (principal, action, resource);',
}

export function fakePolicy(): FakePolicy {
  const version = {
    number: 3,
    hash: 'a'.repeat(64),
    digest: 'b'.repeat(64),
    at: '2026-08-01T09:00:00.000Z',
    by: { kind: 'operator', id: 'dev_1', name: 'desk' },
    sealedBy: 'device' as const,
    autonomy: 'medium' as const,
    files: ['mine.cedar'],
    passkeyTools: ['execute_shell'],
    loosens: [],
  }
  const detail: PolicyVersionDetail = {
    version,
    document: {
      autonomy: 'medium',
      files: [{ name: 'mine.cedar', text: rule.text }],
      passkeyTools: ['execute_shell'],
    },
    rules: [rule],
  }
  const fake: FakePolicy = {
    policy: {
      ...detail,
      always: ['Ask before any call when it is T4 or higher.'],
      levels: [
        { level: 'low', about: 'It reads.', asksPer100: 50 },
        { level: 'medium', about: 'It also makes changes that can be undone.', asksPer100: 40.9 },
      ],
      asked: plainAsked,
      fixed: { autonomy: null, passkeyTools: null },
      passkey: false,
      calls: 212,
    },
    check: { problems: [], rules: [rule], loosens: [], same: false },
    simulation: {
      calls: 212,
      since: '2026-07-02T09:00:00.000Z',
      before: { allow: 150, ask: 60, deny: 2 },
      after: { allow: 153, ask: 48, deny: 11 },
      newlyAllowed: 3,
      newlyAsked: 0,
      newlyRefused: 9,
      changed: [],
    },
    applied: [],
    simulated: [],
    answer({ method, path, body }) {
      const [, , noun, what = '', ref = ''] = path.split('/')
      if (noun !== 'policy') return undefined
      if (what === 'check') return fake.check
      if (what === 'simulate') {
        fake.simulated.push(body)
        return fake.simulation
      }
      if (what === 'as-of') return detail
      if (what === 'versions') return ref === '' ? [version] : detail
      if (method !== 'PUT') return fake.policy
      const change = ApplyPolicy.parse(body)
      fake.applied.push(change)
      return {
        version: { ...version, number: change.base + 1, autonomy: change.document.autonomy },
        ledger: 41,
      }
    },
  }
  return fake
}
