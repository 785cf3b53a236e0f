/** Standing authority of the scripted gateway: lists that a test fills, and what was asked of them. */
import {
  CountersignError,
  type Coverage,
  CoverageRequest,
  type GrantSuggestion,
  type GrantView,
  PruneGrants,
  type StopCoverage,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'
import { newId } from './records.ts'

export interface FakeGrants {
  grants: GrantView[]
  suggestions: GrantSuggestion[]
  coverage: Coverage
  readonly revoked: string[]
  readonly taken: string[]
  readonly pruned: { readonly unusedDays: number; readonly dryRun: boolean }[]
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T11:00:00.000Z'

export function fakeGrants(): FakeGrants {
  const fake: FakeGrants = {
    grants: [grantView()],
    suggestions: [],
    coverage: { of: 200, stops: [stopCoverage('target')], suggested: { stop: 'target', untrusted: false } },
    revoked: [],
    taken: [],
    pruned: [],
    answer(request) {
      const [, , noun = '', ref = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      if (noun === 'what-can') return whatCan(request.query['agent'] ?? null)
      if (noun !== 'grants') return undefined
      if (ref === '') return fake.grants
      if (ref === 'suggestions') return verb === '' ? fake.suggestions : take(verb)
      if (ref === 'prune') return prune(request.body)
      if (ref === 'coverage') {
        CoverageRequest.parse(request.body)
        return fake.coverage
      }
      return verb === 'revoke' ? revoke(ref) : undefined
    },
  }

  function prune(body: unknown): unknown {
    const asked = PruneGrants.parse(body)
    fake.pruned.push(asked)
    return { grants: fake.grants, ledger: asked.dryRun ? null : 31 }
  }

  function take(id: string): unknown {
    const found = fake.suggestions.find((each) => each.id === id)
    if (found === undefined) throw new CountersignError('not_found', 'This is not suggested any more.')
    fake.taken.push(id)
    return { grant: newId('gr'), sentence: found.sentence, ledger: 12 }
  }

  function revoke(id: string): unknown {
    if (id.startsWith('gr_missing')) throw new CountersignError('not_found', `There is no grant ${id}.`)
    fake.revoked.push(id)
    return { ok: true, ledger: 7 }
  }

  function whatCan(agent: string | null) {
    return {
      agent,
      autonomy: 'medium',
      free: ['Looking at what you gave is free.'],
      rules: [{ id: 'own.docs', file: 'policy.d/docs.cedar', line: 3, why: 'The manuals are public' }],
      grants: fake.grants,
      passkeyTools: ['execute_shell'],
    }
  }

  return fake
}

export function grantView(parts: Partial<GrantView> = {}): GrantView {
  return {
    id: newId('gr'),
    sentence: 'http_request: look at any address of https://api.example:443 with GET',
    tool: 'http_request',
    approval: newId('apr'),
    createdAt: at,
    expiresAt: at,
    uses: 1,
    maxUses: 20,
    lastUsedAt: null,
    agent: null,
    goal: null,
    session: null,
    run: null,
    untrusted: false,
    unusedEndsAt: at,
    state: 'active',
    ...parts,
  }
}

export function stopCoverage(stop: StopCoverage['stop']): StopCoverage {
  return {
    stop,
    untrusted: false,
    sentence: `http_request: ${stop} of https://api.example`,
    broad: stop === 'tool',
    covered: 14,
    asked: 6,
    examples: [],
    nearest: { headline: 'GET https://other.example', tier: 2, at, run: newId('run') },
    above: 0,
  }
}
