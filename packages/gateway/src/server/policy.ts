/** Owns the routes of the policy: what is in force and was, checks and simulations of a draft, and the sealed change. */
import {
  Autonomy,
  type Language,
  type PolicySimulation,
  type PolicyVersionDetail,
  type PolicyVersionView,
  type SimulatedCall,
} from '@countersign/contract'
import { policyRoutes } from '@countersign/contract/routes'
import {
  digestOf,
  type JudgedAgain,
  type PolicyVersion,
  problemsOf,
  saidBase,
  saidRules,
  sayLoosening,
} from '@countersign/kernel'
import { referenceWeek } from '../onboarding/reference-week.ts'
import { setupWords } from '../onboarding/words/index.ts'
import type { PolicyAdmin } from '../policy-settings/policy-admin.ts'
import { type App, languageFor, route } from './route.ts'

export interface PolicyParts {
  readonly policy: PolicyAdmin
  /** What the operator calls each device. */
  readonly names: () => Promise<ReadonlyMap<string, string>>
}

const day = 86_400_000
const shownDays = 30
const mostShown = 200

export function addPolicyRoutes(app: App, parts: PolicyParts): void {
  addVersionRoutes(app, parts)
  addDraftRoutes(app, parts)
}

/** What is in force, and what was. */
function addVersionRoutes(app: App, { policy, names }: PolicyParts): void {
  const { policies } = policy.kernel
  const always = new Map<Language, string[]>()
  /** They never change, and reading them out takes a while. */
  const alwaysIn = (language: Language) => {
    const known = always.get(language) ?? saidBase(language)
    always.set(language, known)
    return known
  }
  const detailOf = async (version: PolicyVersion, language: Language): Promise<PolicyVersionDetail> => ({
    version: versionView(version, await names(), language),
    document: version.document,
    rules: saidRules(version.document, language),
  })

  app.openapi(route(policyRoutes.policy), async (context) => {
    const { operator } = context.get('speaker')
    const language = languageFor(context)
    const since = new Date(policy.clock().getTime() - shownDays * day)
    return context.json(
      {
        ...(await detailOf(policies.version(), language)),
        always: alwaysIn(language),
        levels: levelsIn(language),
        asked: referenceWeek.per100,
        fixed: policy.fixed(),
        passkey: await policy.hasPasskey(),
        calls: await policy.kernel.pastCalls(operator, since),
      },
      200,
    )
  })
  app.openapi(route(policyRoutes.policyVersions), async (context) => {
    const versions = await policies.versions(context.get('speaker').operator)
    const known = await names()
    return context.json(
      versions.map((version) => versionView(version, known, languageFor(context))),
      200,
    )
  })
  app.openapi(route(policyRoutes.policyVersion), async (context) => {
    const { number } = context.req.valid('param')
    const version = await policies.find(context.get('speaker').operator, number)
    return context.json(await detailOf(version, languageFor(context)), 200)
  })
  app.openapi(route(policyRoutes.policyAsOf), async (context) => {
    const { entry } = context.req.valid('param')
    const version = await policies.asOf(context.get('speaker').operator, entry)
    return context.json(await detailOf(version, languageFor(context)), 200)
  })
}

/** What is not in force yet. */
function addDraftRoutes(app: App, { policy, names }: PolicyParts): void {
  const { policies } = policy.kernel
  app.openapi(route(policyRoutes.checkPolicy), async (context) => {
    const { document } = context.req.valid('json')
    const language = languageFor(context)
    const problems = [...problemsOf(document)]
    if (problems.length > 0) return context.json({ problems, rules: [], loosens: [], same: false }, 200)
    return context.json(
      {
        problems,
        rules: saidRules(document, language),
        loosens: policy.loosenings(document).map((each) => sayLoosening(each, language)),
        same: digestOf(document) === policies.version().digest,
      },
      200,
    )
  })
  app.openapi(route(policyRoutes.simulatePolicy), async (context) => {
    const { operator } = context.get('speaker')
    const { document, days } = context.req.valid('json')
    const since = new Date(policy.clock().getTime() - days * day)
    return context.json(simulationOf(await policy.simulate(operator, document, since)), 200)
  })
  app.openapi(route(policyRoutes.applyPolicy), async (context) => {
    const { version, ledger } = await policy.apply(context.get('speaker'), context.req.valid('json'))
    return context.json({ version: versionView(version, await names(), languageFor(context)), ledger }, 200)
  })
}

function levelsIn(language: Language) {
  const { levels } = setupWords[language].safety
  return Autonomy.options.map((level) => {
    const asked = referenceWeek.asked[level]
    const asksPer100 = asked === null ? null : (asked * 100) / referenceWeek.calls
    return { level, about: levels[level], asksPer100 }
  })
}

function versionView(
  version: PolicyVersion,
  names: ReadonlyMap<string, string>,
  language: Language,
): PolicyVersionView {
  const { number, hash, digest, at, by_kind, by_id, seal, document, loosens } = version
  return {
    number,
    hash,
    digest,
    at: at.toISOString(),
    by: { kind: by_kind, id: by_id, name: names.get(by_id) ?? by_id },
    sealedBy: seal?.by ?? null,
    autonomy: document.autonomy,
    files: document.files.map(({ name }) => name),
    passkeyTools: [...document.passkeyTools],
    loosens: loosens.map((each) => sayLoosening(each, language)),
  }
}

function simulationOf(judged: readonly JudgedAgain[]): PolicySimulation {
  const [before, after] = [
    { allow: 0, ask: 0, deny: 0 },
    { allow: 0, ask: 0, deny: 0 },
  ]
  for (const each of judged) {
    before[each.before.kind] += 1
    after[each.after.kind] += 1
  }
  const changed = judged.filter((each) => each.before.kind !== each.after.kind).toReversed()
  const became = (kind: SimulatedCall['after']) => changed.filter((each) => each.after.kind === kind).length
  return {
    calls: judged.length,
    since: judged[0]?.call.at.toISOString() ?? null,
    before,
    after,
    newlyAllowed: became('allow'),
    newlyAsked: became('ask'),
    newlyRefused: became('deny'),
    changed: changed.slice(0, mostShown).map(simulatedCall),
  }
}

function simulatedCall({ call, before, after }: JudgedAgain): SimulatedCall {
  const { id, run, session, at, headline, judged } = call
  return {
    call: id,
    run,
    session,
    at: at.toISOString(),
    tool: judged.tool.name,
    headline,
    tier: after.tier,
    before: before.kind,
    after: after.kind,
    reason: after.reason,
    rules: after.rules.map((rule) => rule.id),
  }
}
